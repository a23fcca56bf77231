import { readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { readSign } from './door-sign.ts'
import { type GatewayState, SIGNS } from './status-door.ts'
import { sweepDoors } from './sweep-doors.ts'

const PATIENCE_MS = 2000
const MOST_CHARACTERS = 16 * 1024 * 1024

export interface AskedGateways {
  readonly answered: readonly GatewayState[]
  /** The processes of those that are there and do not answer. */
  readonly silent: readonly number[]
}

/** How all gateways of this person are; what one that was killed has left behind is cleared away. */
export async function askGateways(): Promise<AskedGateways> {
  const folder = SIGNS()
  const names = await readdir(folder).catch(() => []) // Nobody has left anything yet.
  const signs = names.filter((name) => /^\d+\.json$/.test(name)).map((name) => join(folder, name))
  const found = (await Promise.all(signs.map(askOne))).filter((one) => one !== undefined)
  await sweepDoors(folder)
  return {
    answered: found
      .filter((one) => typeof one !== 'number')
      .toSorted((one, other) => one.started.localeCompare(other.started)),
    silent: found.filter((one) => typeof one === 'number'),
  }
}

/** How it is, its process where it does not say, or nothing where there is none. */
async function askOne(path: string): Promise<GatewayState | number | undefined> {
  const sign = await readSign(path)
  if (sign === undefined) return undefined
  try {
    return JSON.parse(await readAll(sign.socket)) as GatewayState
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') await rm(path, { force: true })
    return code === 'ENOENT' || code === 'ECONNREFUSED' ? undefined : sign.pid
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
