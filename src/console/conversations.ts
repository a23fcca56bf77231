import type { Id, Link } from '../kernel/index.ts'
import type { ConsoleSession } from './events.ts'

/** What is remembered of one conversation. */
interface SeenConversation {
  /** Short, and nobody's secret. */
  readonly name: string
  readonly transport: string
  /** The id of its session, where its transport has sessions. */
  readonly session: string | undefined
  readonly openedAt: number
  seenAt: number
  /** Whoever speaks in it, as long as somebody can. */
  link: Link | undefined
  about: Pick<ConsoleSession, 'revision' | 'client' | 'principal'> | undefined
  /** When the client was asked what it has not answered yet. */
  readonly asked: Map<Id, number>
}

/** Those that were used last; others may go on, but are not shown. */
const MOST = 1000

/** Questions of a conversation whose time is taken; clients that answer none must not make it grow. */
const MOST_ASKED = 100

/** The conversations of a server, as far as whoever watches has seen them. */
export class Conversations {
  readonly #hasSession: (id: string) => boolean
  readonly #byLink = new WeakMap<Link, SeenConversation>()
  /** Those that go on beyond one request, the last used last. */
  readonly #lasting = new Map<string, SeenConversation>()
  #count = 0

  constructor(hasSession: (id: string) => boolean = () => false) {
    this.#hasSession = hasSession
  }

  /** The one that a link belongs to; a session goes on under its name, whatever link it is used by. */
  of(link: Link, now: number): SeenConversation {
    const one = this.#byLink.get(link) ?? this.#open(link, now)
    one.seenAt = now
    one.about = describe(link) ?? one.about
    if (isLasting(link)) this.#keep(one)
    return one
  }

  /** Notes when a question left. */
  asks(conversation: SeenConversation, id: Id, at: number): void {
    const { asked } = conversation
    asked.set(id, at)
    if (asked.size > MOST_ASKED) for (const oldest of asked.keys()) return void asked.delete(oldest)
  }

  /** When the question had left that is answered now. */
  answered({ asked }: SeenConversation, id: Id): number | undefined {
    const at = asked.get(id)
    asked.delete(id)
    return at
  }

  /** Those that are still there. */
  list(): readonly ConsoleSession[] {
    for (const [name, one] of this.#lasting) {
      if (one.link?.state === 'closed') one.link = undefined
      const there = one.link !== undefined || (one.session !== undefined && this.#hasSession(one.session))
      if (!there) this.#lasting.delete(name)
    }
    return [...this.#lasting.values()].flatMap(({ name, about, openedAt, seenAt, link }) =>
      about === undefined
        ? []
        : [{ id: name, ...about, openedAt, seenAt, busy: link !== undefined && link.busy > 0 }],
    )
  }

  #open(link: Link, now: number): SeenConversation {
    const session = link.carrier?.session
    const known = session === undefined ? undefined : this.#lasting.get(shortenSession(session))
    const one: SeenConversation = known ?? {
      name: session === undefined ? `c${++this.#count}` : shortenSession(session),
      transport: transportOf(link),
      session,
      openedAt: now,
      seenAt: now,
      link,
      about: undefined,
      asked: new Map(),
    }
    one.link = link
    this.#byLink.set(link, one)
    return one
  }

  #keep(one: SeenConversation): void {
    this.#lasting.delete(one.name)
    this.#lasting.set(one.name, one)
    if (this.#lasting.size > MOST)
      for (const oldest of this.#lasting.keys()) return void this.#lasting.delete(oldest)
  }
}

/** Over HTTP, what has no session is over with its answer. */
function isLasting({ carrier }: Link): boolean {
  return carrier?.protocol === undefined || carrier.session !== undefined
}

/** A session's id opens it; its beginning tells it from others. */
export function shortenSession(session: string): string {
  return session.slice(0, session.includes('.') ? 14 : 8) // What comes before a dot is its node.
}

function transportOf({ carrier }: Link): string {
  if (carrier === undefined) return 'memory'
  return carrier.protocol ?? (carrier.transport === 'pipe' ? 'stdio' : carrier.transport)
}

function describe({ peer, spoken, principal }: Link): SeenConversation['about'] {
  const revision = peer?.revision ?? spoken
  if (revision === undefined) return undefined
  const { name, version } = peer?.info ?? {}
  return {
    revision: revision.id,
    ...(name !== undefined && { client: { name: cut(name), version: cut(version ?? '') } }),
    ...(principal !== undefined && principal.anonymous !== true && { principal: principal.id }),
  }
}

/** Clients may call themselves what they like. */
function cut(text: string): string {
  return text.slice(0, 200)
}
