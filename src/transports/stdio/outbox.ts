import { type Outgoing, print, type Server } from '../../kernel/index.ts'
import { describeUnread, lackOfRoom, loseAnswer } from './lost-answer.ts'

/** Where the answers go: a stream's own write, which may no longer be the one others see. */
export interface OutputStream {
  write(text: string, written?: () => void): boolean
  onceDrained(resume: () => void): void
  /** How many bytes were written and have not left. */
  readonly waiting: number
}

export interface OutboxOptions {
  readonly output: OutputStream
  readonly server: Pick<Server, 'dialect' | 'observe'>
  /** How many bytes may wait to be read. */
  readonly limit: number
  /** What waits elsewhere to be added. */
  readonly elsewhere: () => number
  /** Why those who talk with other clients leave no room for a long answer, where they do not. */
  readonly crowded?: (() => string | undefined) | undefined
}

/** Short answers are kept however many wait: those of the calls at work are few, and may tell of what was done. */
const SHORT = 16 * 1024

/** What may have to wait for long does so outside of the heap, and is counted in bytes. */
export function toWrite(text: string): string | Uint8Array {
  return text.length < SHORT ? text : Buffer.from(text)
}

/** What is on its way to a client that may not be reading. */
export class Outbox {
  readonly #options: OutboxOptions
  #text = ''
  #dropped = false

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  /** The length of what the next `flush` writes. */
  get length(): number {
    return this.#text.length
  }

  /** How much waits to be read. */
  get waiting(): number {
    const { output, elsewhere } = this.#options
    return output.waiting + this.#text.length + elsewhere()
  }

  add(text: string): void {
    this.#text += `${text}\n`
  }

  reply(answer: Outgoing): void {
    this.#text += `${this.print(answer)}\n`
  }

  /** An answer as text; where it would have to wait behind too much, an error that says so. */
  print(answer: Outgoing): string {
    const text = print(answer)
    const lack = text.length <= SHORT ? undefined : this.#lackFor(text.length)
    if (lack === undefined) return text
    this.#noteDrop()
    return print(loseAnswer(answer, { length: text.length, lack, codes: this.#options.server.dialect.codes }))
  }

  /** A question or a notice. One can do without the latter, and not without the former. */
  tell(message: Outgoing): void {
    const text = print(message)
    if ('id' in message || this.#lackFor(text.length) === undefined) this.add(text)
    else this.#noteDrop()
  }

  /** Whether the client keeps up. */
  flush(): boolean {
    if (this.#text === '') return true
    const text = this.#text
    this.#text = ''
    return this.#options.output.write(text)
  }

  /** Whatever its length, something goes to a client that has read everything before, unless others have not. */
  #lackFor(length: number): string | undefined {
    const { waiting } = this
    const { limit, crowded } = this.#options
    if (waiting > 0 && waiting + length > limit) return lackOfRoom(waiting, limit)
    return length > SHORT || waiting > 0 ? crowded?.() : undefined
  }

  /** Whoever runs the server hears of it once. */
  #noteDrop(): void {
    if (this.#dropped) return
    this.#dropped = true
    this.#options.server.observe({ kind: 'noted', level: 'warning', message: describeUnread(this.waiting) })
  }
}
