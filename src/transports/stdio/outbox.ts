import {
  Fault,
  flagOf,
  type Outgoing,
  print,
  type Reply,
  type Server,
  toWire,
  type WireError,
} from '../../kernel/index.ts'

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
}

/** Short answers are kept however many wait: those of the calls at work are few, and may tell of what was done. */
const SHORT = 16 * 1024

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
    if (text.length <= SHORT || this.#hasRoom(text.length)) return text
    this.#noteDrop()
    const error = toWire(this.#refusal(text.length), this.#options.server.dialect.codes)
    return print(isBatch(answer) ? answer.map((reply) => withError(reply, error)) : withError(answer, error))
  }

  /** A question or a notice. One can do without the latter, and not without the former. */
  tell(message: Outgoing): void {
    const text = print(message)
    if ('id' in message || this.#hasRoom(text.length)) this.add(text)
    else this.#noteDrop()
  }

  /** Whether the client keeps up. */
  flush(): boolean {
    if (this.#text === '') return true
    const text = this.#text
    this.#text = ''
    return this.#options.output.write(text)
  }

  /** Whatever its length, something goes to a client that has read everything before. */
  #hasRoom(length: number): boolean {
    const { waiting } = this
    return waiting === 0 || waiting + length <= this.#options.limit
  }

  #refusal(length: number): Fault {
    const { limit } = this.#options
    return new Fault(
      'rateLimited',
      `The call is done, and its answer of ${length} bytes is lost: ${this.waiting} bytes wait to be read already, of at most ${limit} (--${flagOf('maxUnsentPerPipeBytes')}). Read them, then ask again`,
    )
  }

  /** Whoever runs the server hears of it once. */
  #noteDrop(): void {
    if (this.#dropped) return
    this.#dropped = true
    const message = `The client does not read: ${this.waiting} bytes wait to be read, and large answers become errors`
    this.#options.server.observe({ kind: 'noted', level: 'warning', message })
  }
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
