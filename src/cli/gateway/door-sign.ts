import { readFile, rm } from 'node:fs/promises'
import { isObject, parseJson } from '../../kernel/index.ts'

/** What a gateway leaves in a folder for whoever asks how it is. */
export interface DoorSign {
  readonly pid: number
  readonly socket: string
}

/** What such a file says; one that says nothing is taken away, since it is written whole or not at all. */
export async function readSign(path: string): Promise<DoorSign | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined) // It has just ended.
  if (text === undefined) return undefined
  const value = parseJson(text)
  if (isObject(value) && typeof value['pid'] === 'number' && typeof value['socket'] === 'string')
    return value as unknown as DoorSign // As just looked at.
  await rm(path, { force: true })
  return undefined
}
