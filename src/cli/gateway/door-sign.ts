import { rm } from 'node:fs/promises'
import { readPlainFile } from '../../confined/read-plain-file.ts'
import { isObject, parseJson } from '../../kernel/index.ts'

/** What a gateway leaves in a folder for whoever asks how it is. */
export interface DoorSign {
  readonly pid: number
  readonly socket: string
}

/** What such a file says; one that says nothing is taken away, since it is written whole or not at all. */
export async function readSign(path: string): Promise<DoorSign | undefined> {
  const text = textOf(path)
  if (text === undefined) return undefined
  const value = parseJson(text)
  if (isObject(value) && typeof value['pid'] === 'number' && typeof value['socket'] === 'string')
    return value as unknown as DoorSign // As just looked at.
  await rm(path, { force: true })
  return undefined
}

function textOf(path: string): string | undefined {
  try {
    return readPlainFile(path)
  } catch {
    return undefined // It has just ended, or is none of ours.
  }
}
