import type { Principal } from '../../../kernel/index.ts'
import type { HttpState } from '../state.ts'

/** What this node remembers of a session that it has opened or gone on with. */
interface KnownSession {
  readonly principal: Principal
  /** Whether clients find it by now. */
  begun: boolean
  lastSeen: number
  /** How many changes there had been when it ceased to be warm. */
  told: number | undefined
}

/** The sessions that have been used here, warm or not; each takes a place. */
export class KnownSessions {
  readonly #state: HttpState
  readonly #all = new Map<string, KnownSession>()

  constructor(state: HttpState) {
    this.#state = state
  }

  get all(): ReadonlyMap<string, KnownSession> {
    return this.#all
  }

  get(id: string): KnownSession | undefined {
    return this.#all.get(id)
  }

  know(id: string, principal: Principal): KnownSession {
    const known = this.#all.get(id)
    if (known !== undefined) return known
    const lastSeen = this.#state.server.platform.now()
    const one: KnownSession = { principal, begun: false, lastSeen, told: undefined }
    this.#all.set(id, one)
    this.#state.places.count(principal, (share) => void share.sessions++)
    return one
  }

  forget(id: string): void {
    const known = this.#all.get(id)
    if (known === undefined) return
    this.#all.delete(id)
    this.#state.places.count(known.principal, (share) => {
      share.sessions--
      share.unused.delete(id)
    })
  }
}
