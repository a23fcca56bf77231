import {
  type Codes,
  Fault,
  flagOf,
  type Outgoing,
  type Reply,
  toWire,
  type WireError,
} from '../../kernel/index.ts'

/** Why no long answer can wait behind those of a pipe. */
export function lackOfRoom(waiting: number, limit: number): string {
  return `${waiting} bytes wait to be read already, of at most ${limit} (--${flagOf('maxUnsentPerPipeBytes')}). Read them, then ask again`
}

/** What whoever runs the server hears of it. */
export function describeUnread(waiting: number): string {
  const who =
    waiting > 0 ? `The client does not read: ${waiting} bytes wait to be read` : 'Other clients do not read'
  return `${who}, and large answers become errors`
}

interface LostAnswer {
  readonly length: number
  /** Why there is no room for it. */
  readonly lack: string
  readonly codes: Codes
}

/** What a client gets instead of an answer for which there is no room. */
export function loseAnswer(answer: Outgoing, { length, lack, codes }: LostAnswer): Outgoing {
  const message = `The call is done, and its answer of ${length} bytes is lost: ${lack}`
  const error = toWire(new Fault('rateLimited', message), codes)
  return isBatch(answer) ? answer.map((reply) => withError(reply, error)) : withError(answer, error)
}

function isBatch(answer: Outgoing): answer is readonly Reply[] {
  return Array.isArray(answer)
}

function withError<Message extends Exclude<Outgoing, readonly Reply[]>>(
  message: Message,
  error: WireError,
): Message | Reply {
  if (!('result' in message)) return message
  return { jsonrpc: '2.0', ...(message.id !== undefined && { id: message.id }), error }
}
