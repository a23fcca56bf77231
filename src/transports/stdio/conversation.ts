import type { Readable } from 'node:stream'
import type { Carrier, Deliver, Incoming, Link, Outgoing, Outlet, Server } from '../../kernel/index.ts'
import type { PipeBudgets } from './budgets.ts'
import { InOrder } from './in-order.ts'
import { Inbox } from './inbox.ts'
import { Outbox, type OutputStream } from './outbox.ts'
import type { SocketShare } from './share.ts'
import { Stretch } from './stretch.ts'

export interface ConversationOptions {
  readonly server: Server
  readonly input: Readable
  readonly output: OutputStream
  readonly budgets: PipeBudgets
  /** What carries it, where that is no pipe. */
  readonly carrier?: Carrier
  /** Called once, when the client has closed its end. */
  readonly ended: () => void
  /** What bounds it beside others, where it is one of many. */
  readonly share?: Pick<SocketShare, 'changed' | 'crowded' | 'hasRoom' | 'stretch' | 'wait'>
}

/** Answers of one turn leave together, but not so many that the client waits while further ones are found. */
const WRITE_LENGTH = 16 * 1024

/** How long an answer waits at most for others that are being found. */
const MAX_WAIT_MS = 1

/** One client over two byte streams: lines in, lines out, and not much more read than can be answered. */
export class Conversation implements Outlet {
  readonly link: Link
  readonly #options: ConversationOptions
  #inbox: Inbox
  readonly #outbox: Outbox
  readonly #inOrder: InOrder<Outgoing | undefined>
  readonly #stretch: Stretch
  #turning = false
  /** Since when something waits to leave. */
  #since: number | undefined
  #goingOn = false
  #blocked = false
  #whenIdle: (() => void) | undefined
  readonly #unwatch: () => void

  constructor(options: ConversationOptions) {
    const { server, input, output, budgets, carrier = { transport: 'pipe' }, ended, share } = options
    this.#options = options
    this.#stretch = share?.stretch ?? new Stretch()
    this.#inbox = new Inbox(server, budgets)
    this.#outbox = new Outbox({
      output,
      server,
      limit: budgets.maxUnsentPerPipeBytes,
      elsewhere: () => this.#inOrder.length,
      crowded: share && (() => share.crowded()),
    })
    this.#inOrder = new InOrder({
      print: (reply) => (reply === undefined ? undefined : this.#outbox.print(reply)),
      leave: (text) => this.#leaveInOrder(text),
    })
    this.link = server.open({ outlet: this, carrier })
    this.#unwatch = this.#showUsage(server)
    input.on('data', (chunk: Buffer | string) => {
      this.#inbox.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
      this.#turn()
    })
    input.on('end', () => {
      this.#inbox.push(undefined)
      this.#turn()
      ended()
    })
  }

  send(message: Outgoing): void {
    this.#outbox.tell(message)
    this.#schedule()
  }

  /** Reads no more, and resolves when nothing is under way and everything said has been taken. */
  finish(): Promise<void> {
    if (!this.link.leaving) this.#options.input.pause()
    this.link.hangUp()
    return new Promise((resolve) => {
      const leave = () => {
        this.#unwatch()
        resolve()
      }
      this.#whenIdle = () => this.#options.output.write('', leave)
      this.#leaveWhenIdle(this.#whenIdle)
    })
  }

  /** The grace is over: what is ready is answered, the rest gets errors; gives how many got one, when they have been said. */
  giveUp(): Promise<number> {
    this.link.giveUp()
    this.#turn() // What has been read has not begun, and will not.
    return new Promise((resolve) => {
      const settle = () => {
        if (this.#inbox.messages > 0 && !this.#blocked) return setImmediate(settle)
        this.#outbox.flush()
        return resolve(this.link.lost as number) // It counts from when all was given up.
      }
      setImmediate(settle)
    })
  }

  /** What has come and is not taken up. */
  get arriving(): number {
    return this.#inbox.weight
  }

  /** What was said and is not read. */
  get unsent(): number {
    return this.#outbox.waiting
  }

  /** The client is gone: what runs for it is told to stop, and nothing else that it has said is taken up. */
  drop(): void {
    this.#blocked = true
    this.#inbox = new Inbox(this.#options.server, this.#options.budgets) // Calls that go on would keep what is in it.
    this.link.close()
    this.#unwatch()
  }

  #showUsage({ usage }: Server): () => void {
    return usage.watchAll({
      maxLineBytes: () => this.#inbox.longest,
      maxCallsPerPipe: () => this.link.busy,
      maxReadAheadBytes: () => this.#inbox.bytes,
      maxReadAheadMessages: () => this.#inbox.messages,
      maxUnsentPerPipeBytes: () => this.#outbox.waiting,
    })
  }

  /** What happens between two turns is sent by the next one, which comes when all that has arrived has been read. */
  #schedule(): void {
    if (this.#turning) return
    const now = performance.now()
    if (this.#outbox.length >= WRITE_LENGTH || now - (this.#since ?? now) > MAX_WAIT_MS)
      queueMicrotask(() => this.#turn())
    else if (this.#since === undefined) {
      this.#since = now
      setImmediate(() => this.#turn())
    }
  }

  /** Takes up what has been read, sends what has been answered, and reads on if there is room. */
  #turn(): void {
    this.#turning = true
    this.#since = undefined
    try {
      this.#takeUp()
    } catch (error) {
      queueMicrotask(() => this.#turn())
      throw error
    } finally {
      this.#turning = false
    }
    if (!this.#outbox.flush()) this.#block()
    if (this.#whenIdle !== undefined) this.#leaveWhenIdle(this.#whenIdle)
    // Whoever has asked for the end may still call off what it waits for.
    const isHeard = this.#whenIdle === undefined || this.link.leaving
    if (isHeard && this.#inbox.full !== this.#options.input.isPaused()) this.#balance()
    this.#options.share?.changed()
  }

  /** While nobody reads nothing is taken up, and while too many calls are at work no further call. */
  #takeUp(): void {
    const { share, budgets } = this.#options
    const inTurn = this.#options.server.dialect.answers === 'as-called'
    if (this.#goingOn) return // Others have their turn first.
    while (this.#inbox.messages > 0 && !this.#blocked) {
      if (!this.#stretch.takes()) return this.goOn()
      const isFull = Math.max(this.link.busy, this.#inOrder.size) >= budgets.maxCallsPerPipe
      const room = !isFull && (share?.hasRoom() ?? true)
      const incoming = this.#inbox.take(room || this.link.lost !== undefined)
      if (incoming === undefined) return isFull ? undefined : share?.wait()
      this.link.receive(incoming, inTurn && isCall(incoming) ? this.#later() : this.#deliver)
      if (this.#outbox.length >= WRITE_LENGTH && !this.#outbox.flush()) this.#block()
    }
  }

  /** Takes up what waits, in its turn. */
  goOn(): void {
    if (this.#goingOn) return
    this.#goingOn = true
    this.#stretch.goOn(this.#inbox.messages, () => {
      this.#goingOn = false
      this.#turn()
    })
  }

  readonly #deliver = (reply: Outgoing | undefined): void => {
    if (reply !== undefined) this.#outbox.reply(reply)
    if (!this.#turning) this.#schedule()
  }

  /** For an answer that leaves in the order of the calls. */
  #later(): Deliver {
    const settle = this.#inOrder.reserve()
    return (reply) => {
      settle(reply)
      return 'later'
    }
  }

  #leaveInOrder(text: string | undefined): void {
    if (text !== undefined) this.#outbox.add(text)
    this.link.release()
    this.#schedule()
  }

  /** A client that does not read gets nothing more to read until it does. */
  #block(): void {
    if (this.#blocked) return
    this.#blocked = true
    this.#options.output.onceDrained(() => {
      this.#blocked = false
      this.#turn()
    })
  }

  #balance(): void {
    if (this.#inbox.full) this.#options.input.pause()
    else this.#options.input.resume()
  }

  get #isIdle(): boolean {
    return this.#inbox.messages === 0 && this.link.busy === 0
  }

  #leaveWhenIdle(leave: () => void): void {
    if (!this.#isIdle) return
    // A call may have begun to ask after the client had hung up.
    this.link.hangUp()
    // The last answers are still on their way to `send`.
    setImmediate(() => {
      if (!this.#isIdle) return
      this.#outbox.flush()
      leave()
    })
  }
}

/** Whether an answer belongs among those of the tools. */
function isCall(incoming: Incoming): boolean {
  return incoming.kind === 'batch' || (incoming.kind === 'request' && incoming.method === 'tools/call')
}
