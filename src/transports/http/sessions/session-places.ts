import type { Principal } from '../../../kernel/index.ts'
import { refusal } from '../answers.ts'
import type { Refusal } from '../exchange.ts'
import type { HttpState } from '../state.ts'
import { storeFailed } from '../store-failed.ts'

/** A client that takes a place. */
interface Placed {
  readonly id: string
  readonly principal: Principal
}

/** What is kept for as long as somebody says so. */
interface KeptPlace extends Placed {
  /** The key of its record. */
  readonly key: string
  /** Called when there is no record of it any more. */
  readonly ended: () => void
}

/** Sessions that are counted together. */
interface Group {
  readonly group: string
  readonly limit: number
  /** Whose they are, where that is one caller. */
  readonly principal?: Principal
}

/** Whoever looks after those who have places. */
interface PlaceOwner {
  /** The one among callers that nobody knows who can best be done without. */
  findSilent(): string | undefined
  end(id: string): Promise<void>
}

/** The places that sessions of either kind take, counted across all nodes. */
export class SessionPlaces {
  readonly #state: HttpState
  readonly #owner: PlaceOwner

  constructor(state: HttpState, owner: PlaceOwner) {
    this.#state = state
    this.#owner = owner
  }

  /** Touched every quarter of its idle time, a session ends no earlier than that after its last use; alone, we end it ourselves. */
  get ttlMs(): number {
    const { node, settings } = this.#state
    return node === undefined ? Number.POSITIVE_INFINITY : settings.sessionIdleMs * 1.25
  }

  /** A place for one more, or why there is none; a session that was never used makes room, or one that is silent. */
  async take({ id, principal }: Placed): Promise<Refusal | undefined> {
    const { settings } = this.#state
    const own = groupOf(principal)
    const limit = settings.maxSessionsPerCaller
    if (own !== undefined && !(await this.#enter({ group: own, limit, principal }, id)))
      return tooManyOwn(limit)
    if (await this.#enter({ group: ALL, limit: settings.maxSessions }, id)) return undefined
    await this.leave({ id, principal })
    return TOO_MANY
  }

  async #enter({ group, limit, principal }: Group, id: string): Promise<boolean> {
    const { store, places } = this.#state
    const options = { ttlMs: this.ttlMs, limit }
    if (await store.enter(group, id, options)) return true
    const oldest = places.unused(principal) ?? (group === ALL ? this.#owner.findSilent() : undefined)
    if (oldest === undefined) return false
    await this.#owner.end(oldest)
    return store.enter(group, id, options)
  }

  async leave({ id, principal }: Placed): Promise<void> {
    const { store } = this.#state
    const own = groupOf(principal)
    await Promise.all([store.leave(ALL, id), ...(own === undefined ? [] : [store.leave(own, id)])])
  }

  /** A record is kept for a while longer, and so is the place of its client. */
  keep({ key, id, principal, ended }: KeptPlace): void {
    const { store, settings, node } = this.#state
    if (node === undefined) return
    const { ttlMs } = this
    const own = groupOf(principal)
    const kept = async () => {
      if (!(await store.touch(key, ttlMs))) return ended()
      await store.enter(ALL, id, { ttlMs, limit: settings.maxSessions })
      if (own !== undefined) await store.enter(own, id, { ttlMs, limit: settings.maxSessionsPerCaller })
    }
    kept().catch(storeFailed(this.#state, 'sessions'))
  }
}

const ALL = 'sessions'

/** Callers who cannot be told apart have no group of their own. */
function groupOf({ id, anonymous }: Principal): string | undefined {
  return anonymous === true ? undefined : `sessions/${id}`
}

const tooManyOwn = (most: number) =>
  refusal(429, `Too many requests: a caller may have ${most} sessions (--max-sessions-per-caller)`, {
    'retry-after': '10',
  })

const TOO_MANY = refusal(503, 'Service unavailable: too many sessions (--max-sessions)', {
  'retry-after': '10',
})
