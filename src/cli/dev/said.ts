import { isObject } from '../../kernel/index.ts'

/** A line that a child wrote to stdout. */
interface Said {
  /** What is no message: something in the child has written there by itself, past the server. */
  readonly stray: string
  /** The text of the message, if there is one, and what it says. */
  readonly message: string
  readonly said: unknown
}

/** How every message begins that is written by us. */
const BEGIN = /\[?\{"jsonrpc":"2\.0",/

/** An answer may follow on what has no end of line; anything else that does is a message that somebody has quoted. */
export function readSaid(line: string): Said {
  const whole = parseMessage(line)
  if (whole !== undefined) return { stray: '', message: line, said: whole }
  const at = line.search(BEGIN)
  const message = at < 0 ? '' : line.slice(at)
  const said = parseMessage(message)
  if (said === undefined || !isAnswer(said)) return { stray: line, message: '', said: undefined }
  return { stray: line.slice(0, at), message, said }
}

function isAnswer(said: unknown): boolean {
  return Array.isArray(said) ? said.every(isAnswer) : isObject(said) && ('result' in said || 'error' in said)
}

function parseMessage(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isMessage(Array.isArray(value) ? value[0] : value) ? value : undefined
  } catch {
    return undefined // It only begins like one.
  }
}

function isMessage(value: unknown): boolean {
  return isObject(value) && value['jsonrpc'] === '2.0'
}
