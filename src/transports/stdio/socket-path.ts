import { lstatSync, unlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, resolve } from 'node:path'
import { look } from '../../process/look.ts'

/** As many bytes as the address of a socket has on every system, with the one that ends it. */
const MAX_PATH_BYTES = 103

/** A path as the system takes it; on Windows it is the name of a pipe. */
export function readSocketPath(path: string): string {
  if (process.platform === 'win32')
    return /^\\\\[.?]\\pipe\\/.test(path) ? path : `\\\\.\\pipe\\${path.replace(/[\\/:]+/g, '-')}`
  const whole = resolve(path)
  const bytes = Buffer.byteLength(whole)
  if (look(dirname(whole))?.isDirectory() !== true)
    throw new Error(`socket: there is no folder ${dirname(whole)}`)
  if (bytes <= MAX_PATH_BYTES) return whole
  throw new Error(
    `socket: ${whole} has ${bytes} bytes, and a socket's path may have ${MAX_PATH_BYTES}: choose a shorter one`,
  )
}

/** Takes away the socket of a server that has ended without doing so; what is anything else stays, and is told. */
export async function clearSocket(path: string): Promise<void> {
  if (process.platform === 'win32') return // A pipe ends with its server.
  const found = inspect(path)
  if (found === undefined) return
  if (!found.isSocket())
    throw new Error(`socket: ${path} is there already, and is no socket: nothing is overwritten`)
  const answer = await knock(path)
  if (answer === 'connected') throw new Error(`socket: a server listens at ${path} already`)
  if (answer !== 'ECONNREFUSED')
    throw new Error(
      `socket: ${path} is there already, and whether a server listens cannot be told: ${answer}`,
    )
  // Somebody else may have been quicker, whose socket is another, though it may have the number of the one before.
  const now = inspect(path)
  if (now?.ino === found.ino && now.ctimeNs === found.ctimeNs) unlinkSync(path)
}

const inspect = (path: string) => lstatSync(path, { throwIfNoEntry: false, bigint: true })

function knock(path: string): Promise<string> {
  return new Promise((tell) => {
    const socket = connect(path, () => {
      socket.destroy()
      tell('connected')
    }).on('error', ({ code }: NodeJS.ErrnoException) => tell(String(code)))
  })
}

/** Why nobody can listen there, in words. */
export function explainListening(path: string, { code, message }: NodeJS.ErrnoException): Error {
  if (code === 'EADDRINUSE') return new Error(`socket: a server listens at ${path} already`)
  return new Error(`socket: cannot listen at ${path}: ${message}`)
}
