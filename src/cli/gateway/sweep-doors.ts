import { readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { readSign } from './door-sign.ts'

/** Takes away what gateways that were killed have left in their folder: sockets at which nobody listens, and their signs. */
export async function sweepDoors(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []) // Nobody has left anything yet.
  const paths = names.filter((name) => /^\d+\.(?:sock|json)$/.test(name)).map((name) => join(folder, name))
  await Promise.all(paths.map(sweepOne))
}

/** Whoever is asked is there; a number of a process may be another's by now, or be one of another container. */
async function sweepOne(path: string): Promise<void> {
  const sign = path.replace(/sock$/, 'json')
  const socket = path === sign ? (await readSign(sign))?.socket : path
  if (socket === undefined || (await isAnswered(socket))) return
  for (const left of [socket, sign]) await rm(left, { force: true })
}

function isAnswered(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const caller = connect(socket)
    const answer = (isThere: boolean) => {
      caller.destroy()
      resolve(isThere)
    }
    caller.once('connect', () => answer(true))
    caller.once('error', ({ code }: NodeJS.ErrnoException) => answer(code !== 'ECONNREFUSED'))
  })
}
