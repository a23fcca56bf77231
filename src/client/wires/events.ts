import { LARGE, ownTurn } from '../../process/own-turn.ts'
import { ClientError } from '../errors.ts'
import type { Arriving, MessageLimits } from '../intake.ts'
import { TextPieces } from './text-pieces.ts'

/** One event of a stream: what it says, and what to come back with when the stream breaks. */
export interface StreamEvent {
  readonly name: string
  readonly data: string | undefined
  readonly id: string | undefined
  readonly retryMs: number | undefined
}

/** After so long others have their turn, the clocks of requests too: a stream need not ever end. */
const TURN_MS = 2

/** After how many lines it is time to look at the clock. */
const SOME_LINES = 20

/** Of so long a chunk no line is kept as a part of it. */
const LONG_CHUNK = 1024

/** Reads server-sent events, none of them longer than the limit. */
export async function* readEvents(
  body: AsyncIterable<Uint8Array> & Partial<Arriving>,
  { maxMessageBytes, intake }: MessageLimits,
): AsyncGenerator<StreamEvent> {
  const lines = new LineReader(maxMessageBytes)
  let fields = new EventFields(maxMessageBytes)
  let gaveWay: Error | undefined
  const giveWay = (error: Error) => {
    gaveWay = error
    body.giveWay?.(error)
  }
  const arriving = { giveWay }
  const hold = () => intake?.hold(arriving, lines.length + fields.length)
  let count = 0
  let began = performance.now()
  try {
    for await (const chunk of body) {
      for (const line of lines.push(chunk)) {
        const isSome = ++count % SOME_LINES === 0 || line === '' // What was told last may have been a batch.
        if (isSome && performance.now() - began > TURN_MS) {
          await ownTurn()
          began = performance.now()
        }
        if (line !== '') fields.add(line)
        else if (fields.any) {
          if (fields.length > LARGE) {
            hold()
            await ownTurn()
            if (gaveWay !== undefined) throw gaveWay
          }
          yield fields.read()
          fields = new EventFields(maxMessageBytes)
        }
      }
      if (chunk.length > LONG_CHUNK) fields.join()
      hold()
    }
  } finally {
    intake?.hold(arriving, 0)
  }
}

/** Chunks to lines, however those end: by LF, CR LF or CR. */
class LineReader {
  readonly #decoder = new TextDecoder()
  readonly #limit: number
  readonly #line = new TextPieces()
  /** Whether the last letter was a CR, which ends a line at once and of whose end an LF may be the other half. */
  #isHalf = false

  constructor(limit: number) {
    this.#limit = limit
  }

  get length(): number {
    return this.#line.length
  }

  push(chunk: Uint8Array): string[] {
    const [first = '', ...more] = this.#decode(chunk).split('\n')
    this.#keep(first)
    const lines: string[] = []
    for (const part of more) {
      lines.push(this.#line.take())
      this.#keep(part)
    }
    return lines
  }

  #decode(chunk: Uint8Array): string {
    const text = this.#decoder.decode(chunk, { stream: true })
    if (text === '') return '' // It is a part of a letter.
    const own = this.#isHalf && text.startsWith('\n') ? text.slice(1) : text
    this.#isHalf = text.endsWith('\r')
    return own.includes('\r') ? own.replaceAll(/\r\n?/g, '\n') : own
  }

  #keep(part: string): void {
    if (part !== '') this.#line.add(part)
    if (this.length > this.#limit) throw tooMuch(this.#limit)
  }
}

/** What can be come back with, in a header. */
const PLACE = /^[\x20-\x7e]{0,1024}$/

/** The fields of one event. */
class EventFields {
  readonly #limit: number
  #name = 'message'
  /** Every line of it with its end. */
  readonly #data = new TextPieces()
  #id: string | undefined
  #retryMs: number | undefined

  constructor(limit: number) {
    this.#limit = limit
  }

  get length(): number {
    return this.#data.length + this.#name.length
  }

  get any(): boolean {
    return this.#data.length > 0 || this.#id !== undefined || this.#retryMs !== undefined
  }

  add(line: string): void {
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (name === 'data') this.#addData(value)
    if (name === 'event') this.#name = value
    if (name === 'id' && PLACE.test(value)) this.#id = value
    if (name === 'retry' && /^\d{1,9}$/.test(value)) this.#retryMs = Number(value)
  }

  join(): void {
    this.#data.join()
  }

  read(): StreamEvent {
    const data = this.#data.length === 0 ? undefined : this.#data.take().slice(0, -1)
    return { name: this.#name, data, id: this.#id, retryMs: this.#retryMs }
  }

  #addData(value: string): void {
    this.#data.add(value)
    this.#data.add('\n')
    if (this.#data.length > this.#limit + 1) throw tooMuch(this.#limit)
  }
}

export function tooMuch(limit: number): ClientError {
  return new ClientError(
    'too-much',
    `The server sent a message of more than ${limit} bytes (maxMessageBytes)`,
  )
}
