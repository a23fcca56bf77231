import { Buffer } from 'node:buffer'
import type { Readable } from 'node:stream'
import {
  type Link,
  type Outgoing,
  type Outlet,
  parse,
  print,
  type Refused,
  type Server,
} from '../../kernel/index.ts'
import { Lines } from './lines.ts'

/** Where the answers go: a stream's own write, which may no longer be the one others see. */
export interface Output {
  write(text: string, written?: () => void): boolean
  onceDrained(resume: () => void): void
}

export interface ConversationOptions {
  readonly server: Server
  readonly input: Readable
  readonly output: Output
  readonly maxLineBytes: number
  /** How many calls may be at work before reading stops. */
  readonly maxCalls: number
  /** Called once, when the client has closed its end. */
  readonly ended: () => void
}

/** One client over two byte streams: lines in, lines out, and no more read than can be answered. */
export class Conversation implements Outlet {
  readonly link: Link
  readonly #options: ConversationOptions
  readonly #lines: Lines
  #unsent = ''
  #receiving = false
  #flushing = false
  #blocked = false
  #answered = false
  #whenIdle: (() => void) | undefined

  constructor(options: ConversationOptions) {
    this.#options = options
    this.#lines = new Lines(options.maxLineBytes)
    this.link = options.server.open({ outlet: this })
    options.input.on('data', (chunk: Buffer | string) =>
      this.#receive(this.#lines.push(Buffer.from(chunk as Buffer))),
    )
    options.input.on('end', () => {
      this.#receive(this.#lines.end())
      options.ended()
    })
  }

  send(message: Outgoing): void {
    this.#unsent += `${print(message)}\n`
    if (this.#receiving || this.#flushing) return
    this.#flushing = true
    queueMicrotask(() => this.#flush())
  }

  /** Reads no more, and resolves when nothing is under way and everything said has been taken. */
  finish(): Promise<void> {
    this.#options.input.pause()
    this.link.hangUp()
    return new Promise((resolve) => {
      this.#whenIdle = () => this.#options.output.write('', resolve)
      this.#balance()
    })
  }

  /** All answers that one chunk of input gives at once leave in one write. */
  #receive(lines: readonly (string | Refused)[]): void {
    this.#receiving = true
    for (const line of lines) this.#receiveLine(line)
    this.#receiving = false
    this.#flush()
  }

  #receiveLine(line: string | Refused): void {
    const reply = this.#options.server.receive(typeof line === 'string' ? parse(line) : line, this.link)
    if (reply instanceof Promise) void reply.then((settled) => this.#reply(settled))
    else this.#reply(reply)
  }

  #reply(reply: Outgoing | undefined): void {
    if (reply !== undefined) this.send(reply)
    this.link.release()
    if (!this.#receiving) this.#balance()
  }

  #flush(): void {
    this.#flushing = false
    if (this.#unsent !== '') {
      const { output } = this.#options
      const text = this.#unsent
      this.#unsent = ''
      if (!output.write(text) && !this.#blocked) this.#block()
      if (!this.#answered) this.#warmUp()
    }
    this.#balance()
  }

  /** A client that does not read gets nothing more to read until it does. */
  #block(): void {
    this.#blocked = true
    this.#options.output.onceDrained(() => {
      this.#blocked = false
      this.#balance()
    })
  }

  #balance(): void {
    const { input, maxCalls } = this.#options
    if (this.#whenIdle !== undefined) {
      if (this.link.busy === 0) this.#leave(this.#whenIdle)
      return
    }
    const full = this.#blocked || this.link.busy >= maxCalls
    if (full && !input.isPaused()) input.pause()
    if (!full && input.isPaused()) input.resume()
  }

  #leave(whenIdle: () => void): void {
    this.#whenIdle = undefined
    // The last answers are still on their way to `send`.
    setImmediate(() => {
      this.#flush()
      whenIdle()
    })
  }

  /** The first answer is out, so nobody waits while the schema library loads. */
  #warmUp(): void {
    this.#answered = true
    setImmediate(() => this.#options.server.platform.validator.warmUp())
  }
}
