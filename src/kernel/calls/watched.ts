import type { HeaderArgument } from '../catalogue/header-annotations.ts'
import type { Fault } from '../faults.ts'
import type { Incoming, Outgoing, Request } from '../jsonrpc/message.ts'
import type { KernelEvent } from './events.ts'
import { Link } from './link.ts'
import { NOWHERE, type Outlet } from './outlet.ts'
import type { Peer } from './peer.ts'
import type { LinkOptions } from './server.ts'

/** Told of every message of every conversation that begins while it watches. */
export interface MessageWatcher {
  /** One has come; what is given back is told its reply, if it gets one. */
  received(link: Link, incoming: Incoming): (reply: Outgoing) => void
  /** The server has said something of its own accord: a notice, or a question. */
  sent(link: Link, message: Outgoing): void
  /** Something has happened beside the messages. */
  observed?(event: KernelEvent): void
}

/** A link whose messages are told to whoever watches; where nobody does, links are made without any of this. */
export function openWatched(options: LinkOptions): Link {
  const { outlet, receive, server } = options
  const { watchers } = server
  /** A transport may send replies by the link's own outlet. */
  const told = new WeakSet<Outgoing>()
  const safely = (tell: () => void) => {
    try {
      tell()
    } catch (error) {
      server.observe({ kind: 'crashed', error, method: 'watching' }) // The message goes its way.
    }
  }
  const tellSent = (message: Outgoing) => {
    if (!told.has(message)) for (const watcher of watchers) safely(() => watcher.sent(link, message))
  }
  const tellReceived = (incoming: Incoming) => {
    const hear: ((reply: Outgoing) => void)[] = []
    for (const watcher of watchers) safely(() => void hear.push(watcher.received(link, incoming)))
    return (reply: Outgoing | undefined) => {
      if (reply === undefined) return undefined
      told.add(reply)
      for (const one of hear) safely(() => one(reply))
      return reply
    }
  }
  const link: Link = new Link({
    ...options,
    outlet: outlet === NOWHERE ? outlet : new WatchedOutlet(outlet, tellSent),
    receive: (_link, incoming, own) => {
      const tellReply = tellReceived(incoming)
      const reply = receive(link, incoming, own === link.outlet ? own : new WatchedOutlet(own, tellSent))
      return reply instanceof Promise ? reply.then(tellReply) : tellReply(reply)
    },
  })
  return link
}

/** The same outlet, with somebody told of what leaves there. */
class WatchedOutlet implements Outlet {
  readonly #outlet: Outlet
  readonly #tell: (message: Outgoing) => void

  constructor(outlet: Outlet, tell: (message: Outgoing) => void) {
    this.#outlet = outlet
    this.#tell = tell
  }

  /** What does not reach the client has not been sent. */
  send(message: Outgoing): void {
    if (!this.answersOnly) this.#tell(message)
    this.#outlet.send(message)
  }

  check(request: Request, sender: Peer | Fault): Fault | undefined {
    return this.#outlet.check?.(request, sender)
  }

  checkArguments(request: Request, headers: readonly HeaderArgument[]): Fault | undefined {
    return this.#outlet.checkArguments?.(request, headers)
  }

  refused(request: Request, fault: Fault): boolean {
    return this.#outlet.refused?.(request, fault) === true
  }

  get answersOnly(): boolean {
    return this.#outlet.answersOnly === true
  }

  get unasked(): string | undefined {
    return this.#outlet.unasked
  }

  get headers(): Outlet['headers'] {
    return this.#outlet.headers
  }

  detach(): void {
    this.#outlet.detach?.()
  }
}
