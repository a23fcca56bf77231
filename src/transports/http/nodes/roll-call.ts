import type { HttpSite } from '../site.ts'
import type { Presence } from './messages.ts'
import { BEAT_MS, LEASE_MS, type Node } from './node.ts'

/** Who serves together, asked for only while somebody looks: nobody else has a use for it. */
export class RollCall {
  readonly #site: () => HttpSite
  readonly #present = new Map<string, { readonly presence: Presence; readonly heardAt: number }>()
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(site: () => HttpSite) {
    this.#site = site
  }

  /** This node, then those who have answered lately. */
  list(): readonly Presence[] {
    const { node, server } = this.#site()
    if (node === undefined) return []
    const now = server.platform.now()
    if (now - this.#askedAt >= BEAT_MS) {
      this.#askedAt = now
      node.sendAll({ kind: 'roll-call' }).catch(() => {}) // Its lease tells of a store that is away.
    }
    for (const [id, { heardAt }] of this.#present) if (now - heardAt > LEASE_MS) this.#present.delete(id)
    const others = [...this.#present.values()].map(({ presence }) => presence)
    return [this.#own(node), ...others.sort((a, b) => a.since - b.since)]
  }

  answer(): void {
    const { node } = this.#site()
    node?.sendAll({ kind: 'present', ...this.#own(node) }).catch(() => {}) // As above.
  }

  heard(presence: Presence): void {
    this.#present.set(presence.id, { presence, heardAt: this.#site().server.platform.now() })
  }

  /** Says goodbye, so that nobody has to wait until it is missed. */
  async leave(): Promise<void> {
    const { node } = this.#site()
    if (node !== undefined) await node.sendAll({ kind: 'gone', id: node.id }).catch(() => {}) // As above.
  }

  left(id: string): void {
    this.#present.delete(id)
  }

  #own({ id, openedAt, trouble }: Node): Presence {
    const { places, sessions } = this.#site()
    const counts = { calls: places.all.working, sessions: sessions.warm.size }
    return { id, since: openedAt, ...counts, ...(trouble !== undefined && { trouble }) }
  }
}
