import type { Readable } from 'node:stream'
import {
  type Budgets,
  type Incoming,
  type Link,
  type Outgoing,
  type Outlet,
  print,
  type Refused,
  type Server,
} from '../../kernel/index.ts'
import { InOrder } from './in-order.ts'
import { Inbox } from './inbox.ts'
import { Lines } from './lines.ts'

/** Where the answers go: a stream's own write, which may no longer be the one others see. */
export interface Output {
  write(text: string, written?: () => void): boolean
  onceDrained(resume: () => void): void
}

/** How much a client may make the conversation hold. */
export type PipeBudgets = Pick<
  Budgets,
  'maxLineBytes' | 'maxCallsPerPipe' | 'maxReadAheadBytes' | 'maxReadAheadMessages'
>

export interface ConversationOptions {
  readonly server: Server
  readonly input: Readable
  readonly output: Output
  readonly budgets: PipeBudgets
  /** Called once, when the client has closed its end. */
  readonly ended: () => void
}

/** Answers of one turn leave together, but not so many that the client waits while further ones are found. */
const WRITE_LENGTH = 16 * 1024

/** As many are taken up in one go; then whatever else the process does has its turn. */
const MESSAGES_A_TURN = 1000

/** One client over two byte streams: lines in, lines out, and not much more read than can be answered. */
export class Conversation implements Outlet {
  readonly link: Link
  readonly #options: ConversationOptions
  readonly #lines: Lines
  readonly #inbox: Inbox
  readonly #inOrder = new InOrder((reply) => this.#reply(reply))
  #unsent = ''
  #turning = false
  #scheduled = false
  #goingOn = false
  #blocked = false
  #whenIdle: (() => void) | undefined

  constructor(options: ConversationOptions) {
    this.#options = options
    this.#inbox = new Inbox(options.server.dialect)
    this.#lines = new Lines(options.budgets.maxLineBytes)
    this.link = options.server.open({ outlet: this, carrier: { transport: 'pipe' } })
    this.#showUsage(options.server)
    options.input.on('data', (chunk: Buffer | string) => {
      this.#arrive(this.#lines.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk))
    })
    options.input.on('end', () => {
      this.#arrive(this.#lines.end())
      options.ended()
    })
  }

  send(message: Outgoing): void {
    this.#unsent += `${print(message)}\n`
    this.#schedule()
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

  #arrive(lines: readonly (string | Refused)[]): void {
    this.#inbox.push(lines)
    this.#turn()
  }

  #showUsage({ usage }: Server): void {
    usage.watch('maxLineBytes', () => this.#lines.longest)
    usage.watch('maxCallsPerPipe', () => this.link.busy)
    usage.watch('maxReadAheadBytes', () => this.#inbox.bytes)
    usage.watch('maxReadAheadMessages', () => this.#inbox.messages)
  }

  /** What happens between two turns is sent by the next one. */
  #schedule(): void {
    if (this.#turning || this.#scheduled) return
    this.#scheduled = true
    queueMicrotask(() => {
      this.#scheduled = false
      this.#turn()
    })
  }

  /** Takes up what has been read, sends what has been answered, and reads on if there is room. */
  #turn(): void {
    this.#turning = true
    try {
      this.#takeUp()
    } catch (error) {
      queueMicrotask(() => this.#turn())
      throw error
    } finally {
      this.#turning = false
    }
    this.#flush()
    this.#balance()
  }

  #takeUp(): void {
    for (let count = 0; count < MESSAGES_A_TURN; count++) {
      const taken = this.#take()
      if (taken === undefined) return
      this.#receive(taken)
    }
    this.#goOn()
  }

  #goOn(): void {
    if (this.#goingOn) return
    this.#goingOn = true
    setImmediate(() => {
      this.#goingOn = false
      this.#turn()
    })
  }

  /** The next message whose turn it is: none while nobody reads, no further call while too many are at work. */
  #take(): Incoming | undefined {
    if (this.#blocked) return undefined
    const { maxCallsPerPipe } = this.#options.budgets
    return this.#inbox.take(this.link.busy < maxCallsPerPipe && this.#inOrder.size < maxCallsPerPipe)
  }

  #receive(incoming: Incoming): void {
    const { server } = this.#options
    const reply = server.receive(incoming, this.link)
    if (server.dialect.answers === 'as-called' && isCall(incoming)) this.#inOrder.add(reply)
    else if (reply instanceof Promise) void reply.then((settled) => this.#reply(settled))
    else this.#reply(reply)
    if (this.#unsent.length >= WRITE_LENGTH) this.#flush()
  }

  #reply(reply: Outgoing | undefined): void {
    if (reply !== undefined) this.send(reply)
    this.link.release()
    this.#schedule()
  }

  #flush(): void {
    if (this.#unsent === '') return
    const text = this.#unsent
    this.#unsent = ''
    if (!this.#options.output.write(text) && !this.#blocked) this.#block()
  }

  /** A client that does not read gets nothing more to read until it does. */
  #block(): void {
    this.#blocked = true
    this.#options.output.onceDrained(() => {
      this.#blocked = false
      this.#turn()
    })
  }

  #balance(): void {
    const { input, budgets } = this.#options
    if (this.#whenIdle !== undefined) {
      if (this.#isIdle()) this.#leave(this.#whenIdle)
      return
    }
    const { maxReadAheadBytes, maxReadAheadMessages } = budgets
    const full = this.#inbox.bytes >= maxReadAheadBytes || this.#inbox.messages >= maxReadAheadMessages
    if (full && !input.isPaused()) input.pause()
    if (!full && input.isPaused()) input.resume()
  }

  #isIdle(): boolean {
    return this.#inbox.messages === 0 && this.link.busy === 0
  }

  #leave(whenIdle: () => void): void {
    // A call may have begun to ask after the client had hung up.
    this.link.hangUp()
    // The last answers are still on their way to `send`.
    setImmediate(() => {
      if (!this.#isIdle()) return
      this.#flush()
      whenIdle()
    })
  }
}

/** Whether an answer belongs among those of the tools. */
function isCall(incoming: Incoming): boolean {
  return incoming.kind === 'batch' || (incoming.kind === 'request' && incoming.method === 'tools/call')
}
