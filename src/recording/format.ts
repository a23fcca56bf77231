import { isObject, type JsonObject } from '../kernel/index.ts'

/** One line of a recording: when, in which conversation, which way, and what. */
export interface RecordedMessage {
  readonly time: string
  readonly connection: string
  /** As seen from the server. */
  readonly direction: 'in' | 'out'
  readonly message: JsonObject | readonly JsonObject[]
}

/** Reads a recording, or says which line of it is none. */
export function parseRecording(text: string): readonly RecordedMessage[] {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => (line.trim() === '' ? [] : [parseLine(line, at + 1)]))
}

function parseLine(line: string, number: number): RecordedMessage {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    throw new TypeError(`line ${number} is no JSON: ${(error as Error).message}`) // JSON.parse throws SyntaxErrors.
  }
  if (!isObject(value) || !isMessage(value['message']))
    throw new TypeError(`line ${number}: expected an object with time, connection, direction and message`)
  const { direction, connection = '1', time = '' } = value
  if (direction !== 'in' && direction !== 'out')
    throw new TypeError(`line ${number}: direction: expected in or out, got ${JSON.stringify(direction)}`)
  return { time: String(time), connection: String(connection), direction, message: value['message'] }
}

function isMessage(value: unknown): value is RecordedMessage['message'] {
  return isObject(value) || (Array.isArray(value) && value.length > 0 && value.every(isObject))
}

/** The conversations of a recording, each in its order. */
export function conversationsOf(
  messages: readonly RecordedMessage[],
): ReadonlyMap<string, readonly RecordedMessage[]> {
  const found = new Map<string, RecordedMessage[]>()
  for (const one of messages) {
    const known = found.get(one.connection)
    if (known === undefined) found.set(one.connection, [one])
    else known.push(one)
  }
  return found
}

/** The messages in one, of which a batch has several. */
export function eachOf(message: RecordedMessage['message']): readonly JsonObject[] {
  return Array.isArray(message) ? message : [message as JsonObject] // It is one or the other.
}
