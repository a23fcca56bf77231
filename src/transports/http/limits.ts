import type { Incoming, Link, Message, Principal, Refused, Request } from '../../kernel/index.ts'
import { refusal } from './answers.ts'
import type { Refusal } from './exchange.ts'
import { lateness } from './lateness.ts'
import type { HttpSettings } from './settings.ts'

type Rest = Parameters<Link['rest']>[1]

/** The places that somebody has taken. */
class Share {
  /** Requests that have not been answered yet, among them those that ask their client or only listen. */
  calls = 0
  asking = 0
  listening = 0
  sessions = 0
  streams = 0
  /** The ids of sessions that were opened here and never used, the oldest first. */
  readonly unused = new Set<string>()

  get working(): number {
    return this.calls - this.asking - this.listening
  }

  get empty(): boolean {
    return this.calls + this.asking + this.listening + this.sessions + this.streams === 0
  }
}

/** Calls whose client is not there to hear the answer, though it may come back for it. */
export interface Away {
  readonly principal: Principal
  /** How many of them are at work, and how many wait for the client. */
  readonly working: number
  readonly asking: number
  readonly present: boolean
  giveUp(): void
}

/** Who takes how many places of a server. Callers that nobody knows are one, and only the server's own limits are theirs. */
export class Places {
  readonly all = new Share()
  readonly #callers = new Map<string, Share>()
  #whenIdle: (() => void) | undefined
  /** Those who left first come first; some may have come back. */
  readonly away = new Set<Away>()

  /** What one caller has taken; undefined when that is nothing, or the caller is anybody. */
  find({ id, anonymous }: Principal): Share | undefined {
    return anonymous === true ? undefined : this.#callers.get(id)
  }

  /** A session that was opened and not used yet. */
  begin(session: string, principal: Principal): void {
    this.count(principal, ({ unused }) => void unused.add(session))
  }

  /** It does not have to make room for others. */
  use(session: string, principal?: Principal): void {
    if (principal !== undefined) return this.count(principal, ({ unused }) => void unused.delete(session))
    this.all.unused.delete(session)
    for (const { unused } of this.#callers.values()) unused.delete(session)
  }

  /** The session that makes room for another one of the same caller, or of anybody. */
  unused(caller?: Principal): string | undefined {
    const share = caller === undefined ? this.all : this.find(caller)
    const [oldest] = share?.unused ?? []
    return oldest
  }

  /** The most that one caller has taken. */
  most(count: (share: Share) => number): number {
    return Math.max(0, ...[...this.#callers.values()].map(count))
  }

  /** Resolves when no call is at work or listening any more, or when it is late. */
  idle(late: AbortSignal): Promise<boolean> {
    const idle = new Promise<boolean>((resolve) => {
      this.#whenIdle = () => resolve(true)
      if (this.all.calls === 0) resolve(true)
    })
    return Promise.race([idle, lateness(late)])
  }

  /** Counts requests that have not been answered yet, or, with less than none, those that have been. */
  countCalls(principal: Principal | undefined, calls: number): void {
    this.count(principal, (share) => {
      share.calls += calls
    })
  }

  count(principal: Principal | undefined, change: (share: Share) => void): void {
    change(this.all)
    if (this.all.calls === 0) this.#whenIdle?.()
    if (principal === undefined || principal.anonymous === true) return
    const own = this.#callers.get(principal.id) ?? new Share()
    change(own)
    if (own.empty) this.#callers.delete(principal.id)
    else this.#callers.set(principal.id, own)
  }

  /** For links to tell that a call of theirs waits for its client, or works again. */
  readonly rested = ({ principal }: Link, reason: Rest, change: 1 | -1): void => {
    this.count(principal, (share) => {
      share[reason] += change
    })
  }

  /** Gives up calls of clients that are not there, the first who left first; tells whether that was enough. */
  giveUp(needed: number, kind: 'working' | 'asking', caller?: Principal): boolean {
    let made = 0
    for (const one of this.#absent(caller)) {
      if (made >= needed) break
      if (one[kind] === 0) continue
      made += one[kind]
      one.giveUp()
    }
    return made >= needed
  }

  /** For links: the same until there is enough room for what a caller sends, its own calls first. */
  readonly makeRoom = ({ principal }: Link, enough: () => boolean): void => {
    const own = principal === undefined || principal.anonymous === true ? [] : this.#absent(principal)
    for (const one of [...own, ...this.#absent()]) {
      if (enough()) return
      one.giveUp()
    }
  }

  #absent(caller?: Principal): readonly Away[] {
    return [...this.away].filter(
      ({ present, principal }) => !present && (caller === undefined || principal.id === caller.id),
    )
  }
}

/** Where places are limited. */
interface Limited {
  readonly places: Places
  readonly settings: HttpSettings
}

interface LimitedSession {
  readonly openStreams: number
  readonly state: Limited
}

function isRequest(entry: Message | Refused): entry is Request {
  return entry.kind === 'request'
}

/** How many requests a message brings. */
export function countRequests(incoming: Incoming): number {
  if (incoming.kind !== 'batch') return incoming.kind === 'request' ? 1 : 0
  return incoming.entries.filter(isRequest).length
}

/** Whether there is room for the calls that a message brings; what calls may wait for is not asked this. */
export function checkCalls(state: Limited, caller: Principal, incoming: Incoming): Refusal | undefined {
  const { places, settings } = state
  const count = countRequests(incoming)
  if (count === 0) return undefined
  const own = (places.find(caller)?.working ?? 0) + count - settings.maxCallsPerCaller
  if (own > 0 && caller.anonymous !== true && !places.giveUp(own, 'working', caller))
    return refusal(
      429,
      `Too many requests: a caller may have ${settings.maxCallsPerCaller} calls under way (--max-calls-per-caller)`,
      {
        'retry-after': '1',
      },
    )
  const all = places.all.working + count - settings.maxCalls
  if (all > 0 && !places.giveUp(all, 'working'))
    return refusal(503, 'Service unavailable: too many calls under way (--max-calls)', { 'retry-after': '1' })
  const asking = places.all.asking - settings.maxQuestions
  if (asking >= 0 && !places.giveUp(asking + 1, 'asking'))
    return refusal(503, 'Service unavailable: too many calls wait for their clients (--max-questions)', {
      'retry-after': '10',
    })
  return undefined
}

export function checkStreams({ places, settings }: Limited, caller: Principal): Refusal | undefined {
  if ((places.find(caller)?.streams ?? 0) >= settings.maxStreamsPerCaller)
    return refusal(
      429,
      `Too many requests: a caller may have ${settings.maxStreamsPerCaller} open streams (--max-streams-per-caller)`,
      {
        'retry-after': '10',
      },
    )
  return places.all.streams < settings.maxStreams
    ? undefined
    : refusal(503, 'Service unavailable: too many open streams (--max-streams)', { 'retry-after': '10' })
}

export function checkOwnStreams({ openStreams, state }: LimitedSession): Refusal | undefined {
  return openStreams < state.settings.maxStreamsPerSession
    ? undefined
    : refusal(429, 'Too many requests: too many open streams in this session (--max-streams-per-session)', {
        'retry-after': '1',
      })
}
