import { readdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type DoorSign, type GatewayState, SIGNS } from './status-door.ts'

const PATIENCE_MS = 2000
const MOST_CHARACTERS = 16 * 1024 * 1024

/** How all gateways of this person are; what one that was killed has left behind is cleared away. */
export async function askGateways(): Promise<readonly GatewayState[]> {
  const folder = SIGNS()
  const names = await readdir(folder).catch(() => []) // Nobody has left anything yet.
  const signs = names.filter((name) => /^\d+\.json$/.test(name)).map((name) => join(folder, name))
  const found = await Promise.all(signs.map(askOne))
  return found
    .filter((state) => state !== undefined)
    .toSorted((one, other) => one.started.localeCompare(other.started))
}

async function askOne(sign: string): Promise<GatewayState | undefined> {
  try {
    const { socket } = JSON.parse(await readFile(sign, 'utf8')) as DoorSign
    return JSON.parse(await readAll(socket)) as GatewayState
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ECONNREFUSED' || code === 'ENOENT') await rm(sign, { force: true })
    return undefined
  }
}

function readAll(socket: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const caller = connect(socket).setEncoding('utf8').setTimeout(PATIENCE_MS)
    caller.on('data', (part) => {
      text += String(part)
      if (text.length > MOST_CHARACTERS) caller.destroy(new Error('it has too much to tell'))
    })
    caller.on('end', () => resolve(text)).on('error', reject)
    caller.on('timeout', () => caller.destroy(new Error('it does not answer')))
  })
}
