import type { Readable } from 'node:stream'
import type { Budgets, Incoming, Link, Outgoing, Outlet, Refused, Server } from '../../kernel/index.ts'
import { InOrder } from './in-order.ts'
import { Inbox } from './inbox.ts'
import { Lines } from './lines.ts'
import { Outbox, type Output } from './outbox.ts'

/** How much a client may make the conversation hold. */
export type PipeBudgets = Pick<
  Budgets,
  'maxLineBytes' | 'maxCallsPerPipe' | 'maxReadAheadBytes' | 'maxReadAheadMessages' | 'maxUnsentPerPipeBytes'
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

type Answer = Outgoing | undefined

/** One client over two byte streams: lines in, lines out, and not much more read than can be answered. */
export class Conversation implements Outlet {
  readonly link: Link
  readonly #options: ConversationOptions
  readonly #lines: Lines
  readonly #inbox: Inbox
  readonly #outbox: Outbox
  readonly #inOrder: InOrder<Answer>
  #turning = false
  #scheduled = false
  #goingOn = false
  #blocked = false
  #whenIdle: (() => void) | undefined

  constructor(options: ConversationOptions) {
    this.#options = options
    this.#inbox = new Inbox(options.server.dialect)
    this.#lines = new Lines(options.budgets.maxLineBytes)
    this.#inOrder = new InOrder({
      print: (answer) => this.#print(answer),
      leave: (text) => this.#reply(text),
    })
    this.#outbox = new Outbox({
      output: options.output,
      server: options.server,
      limit: options.budgets.maxUnsentPerPipeBytes,
      elsewhere: () => this.#inOrder.length,
    })
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
    this.#outbox.tell(message)
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
    usage.watch('maxUnsentPerPipeBytes', () => this.#outbox.waiting)
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
    else if (reply instanceof Promise) void reply.then((settled) => this.#reply(this.#print(settled)))
    else this.#reply(this.#print(reply))
    if (this.#outbox.length >= WRITE_LENGTH) this.#flush()
  }

  #print(answer: Answer): string | undefined {
    return answer === undefined ? undefined : this.#outbox.print(answer)
  }

  #reply(text: string | undefined): void {
    if (text !== undefined) this.#outbox.add(text)
    this.link.release()
    this.#schedule()
  }

  #flush(): void {
    if (!this.#outbox.flush() && !this.#blocked) this.#block()
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
