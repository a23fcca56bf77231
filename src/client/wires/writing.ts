import type { Writable } from 'node:stream'
import { ClientError } from '../errors.ts'
import type { Sent } from '../wire.ts'

/** What may wait until a server reads it: as much as one of ours keeps for a client that does not. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024

/** Resolves when the pipe has taken the line, or will never take it; rejects one that would only grow what waits. */
export async function writeLine(to: Writable | null, message: Sent): Promise<void> {
  const line = `${JSON.stringify(message)}\n`
  const waiting = to?.writableLength ?? 0
  if (waiting > 0 && waiting + Buffer.byteLength(line) > MAX_UNREAD_BYTES) throw unread(waiting)
  await new Promise<unknown>((resolve) => to?.write(line, resolve))
}

function unread(bytes: number): ClientError {
  const text = `The server does not read: ${bytes} bytes wait, of at most ${MAX_UNREAD_BYTES}. Ask again when it has answered, or connect to it anew`
  return new ClientError('too-much', text, { unsent: true })
}
