import type { Socket } from 'node:net'
import { type Budgets, flagOf, plainFault, print, refuse, type Server } from '../../kernel/index.ts'
import type { Inbound, Outbound, Traffic } from '../traffic.ts'
import type { Conversation } from './conversation.ts'
import type { Crowd, Member } from './crowd.ts'
import type { Stretch } from './stretch.ts'

export interface ShareOptions {
  readonly server: Pick<Server, 'observe'>
  readonly socket: Socket
  readonly traffic: Traffic
  readonly stretch: Stretch
  readonly crowd: Crowd
  readonly budgets: Pick<Budgets, 'maxArrivingBytes' | 'maxUnsentBytes'>
  readonly conversation: () => Conversation
}

/** What one connection holds of what there is for all of them. */
export class SocketShare implements Inbound, Outbound, Member {
  arriving = 0
  readonly sends = true
  readonly #options: ShareOptions

  constructor(options: ShareOptions) {
    this.#options = options
  }

  /** The time in which it and others are taken up. */
  get stretch(): Stretch {
    return this.#options.stretch
  }

  get working(): number {
    return this.#options.conversation().link.busy
  }

  /** Whether one more call may begin beside those of others. */
  hasRoom(): boolean {
    return this.#options.crowd.hasRoom(this)
  }

  /** Has `goOn` called when there is room for what waits. */
  wait(): void {
    this.#options.crowd.wait(this)
  }

  goOn(): void {
    this.#options.conversation().goOn()
  }

  get unread(): number {
    return this.#options.conversation().unsent
  }

  /** Told when more or less may be held than before. */
  changed(): void {
    const { socket, traffic, crowd, conversation } = this.#options
    if (socket.destroyed) return // Nothing would end it any more.
    crowd.tell(this)
    const more = conversation().arriving - this.arriving
    if (more > 0) traffic.arrive(this, more)
    else if (more < 0) traffic.taken(this, -more)
    if (this.unread > 0) traffic.owe(this)
  }

  /** A client that has taken something has its moment again. */
  written(): void {
    this.#options.traffic.settle(this)
    this.changed()
  }

  /** Why there is no room for a long answer, where there is none. */
  crowded(): string | undefined {
    this.changed()
    const { traffic, budgets } = this.#options
    if (!traffic.full) return undefined
    const flag = flagOf('maxUnsentBytes')
    return `${traffic.unsent} bytes wait to be read by all clients, of at most ${budgets.maxUnsentBytes} (--${flag}). Ask again when they have been read`
  }

  /** Makes room for what others send, and says so. */
  shed(): void {
    const { socket, traffic, budgets, conversation } = this.#options
    const most = `at most ${budgets.maxArrivingBytes} bytes, got ${traffic.arriving} (--${flagOf('maxArrivingBytes')})`
    const message = `Too many requests: what all clients have sent and is not taken up yet: ${most}`
    traffic.taken(this) // At once, or others would have to go for it, too.
    conversation().link.receive(refuse(plainFault('rateLimited', message)), (reply) => {
      if (reply !== undefined) socket.write(`${print(reply)}\n`)
    })
    socket.destroy()
  }

  /** Makes room for what others are to read. */
  destroy(): void {
    const { server, socket, budgets } = this.#options
    const most = `${budgets.maxUnsentBytes} bytes may wait in all (--${flagOf('maxUnsentBytes')})`
    const message = `A client on a socket does not read, and its connection is closed: ${most}`
    server.observe({ kind: 'noted', level: 'warning', message })
    socket.destroy()
  }

  leave(): void {
    this.#options.crowd.leave(this)
    this.#options.traffic.taken(this)
    this.#options.traffic.settle(this)
  }
}
