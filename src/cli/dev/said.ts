import { isObject, type Refused } from '../../kernel/index.ts'
import { Lines } from '../../transports/stdio/lines.ts'
import { errorAnswer } from './error-answer.ts'
import type { HostSpeaker } from './speaker.ts'

/** A line that a child wrote to stdout. */
export interface Said {
  /** What is no message: something in the child has written there by itself, past the server. */
  readonly stray: string
  /** The text of the message, if there is one, and what it says. */
  readonly message: string
  readonly said: unknown
}

const NEWLINE = 10

/** A child keeps its own limits; what writes past it keeps none. */
const MAX_LINE_BYTES = 64 * 1024 * 1024

/** Hands on what a child writes, line by line. */
export function readOutput(output: HostSpeaker['output'], hear: (said: Said) => void): void {
  let lines = new Lines(MAX_LINE_BYTES)
  let head = ''
  output.on('data', (chunk: Buffer) => {
    const begins = chunk.lastIndexOf(NEWLINE) + 1
    head ||= chunk.toString('latin1', 0, HEAD_BYTES)
    const read = lines.push(chunk)
    for (const line of read) hear(typeof line === 'string' ? readSaid(line) : readRefused(line, head))
    if (begins > 0) head = chunk.toString('latin1', begins, begins + HEAD_BYTES)
    // An answer may follow on what never ends.
    else if (typeof read.at(-1) === 'object') lines = new Lines(MAX_LINE_BYTES)
  })
}

/** How an answer begins, as we write it. */
const ANSWER = /^\{"jsonrpc":"2\.0","id":("(?:[^"\\]|\\.)*"|\d+),"(?:result|error)":/
const HEAD_BYTES = 300

/** Whoever waits for an answer that cannot be handed on is told so. */
function readRefused({ fault }: Refused, head: string): Said {
  const stray = `(${fault.message})`
  const [, id] = ANSWER.exec(head) ?? []
  if (id === undefined) return { stray, message: '', said: undefined }
  const said = errorAnswer(JSON.parse(id), `The answer cannot be handed on: ${fault.message}`)
  return { stray, message: JSON.stringify(said), said }
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
