import { type Agreement, agreementOf, isAgreement, type Principal, restore } from '../../../kernel/index.ts'
import type { Refusal } from '../exchange.ts'
import type { NodeMessage } from '../nodes/messages.ts'
import type { HttpState } from '../state.ts'
import { KnownSessions } from './known-sessions.ts'
import { Introductions, type KeptRecord, merge, printRecord, readRecord, recordOf } from './record.ts'
import { Session } from './session.ts'
import { SessionPlaces } from './session-places.ts'

/** A session that nobody has used for so long is a record and no more, until somebody speaks; to read it takes longer elsewhere. */
const WARM_MS = { unused: 0, used: 1000, elsewhere: 60_000 }

/** What has agreed on more than this stays warm, so that it stays counted. */
const PARKED_BYTES = 2048

/** A session that goes on by its record; `foreign` where that is of a server of another version, and cannot be read here. */
type Adopted = Session | 'foreign' | undefined

/** The sessions of a server: what is used here is warm, and all of them are records that every node finds. */
export class Sessions {
  readonly warm = new Map<string, Session>()
  readonly state: HttpState
  readonly #known: KnownSessions
  readonly #reading = new Map<string, Promise<Adopted>>()
  readonly #introductions = new Introductions()
  readonly places: SessionPlaces

  constructor(state: HttpState) {
    this.state = state
    this.#known = new KnownSessions(state)
    this.places = new SessionPlaces(state, this)
  }

  has(id: string): boolean {
    return this.#known.get(id) !== undefined
  }

  /** A place for one more, or why there is none. */
  async admit(id: string, principal: Principal): Promise<Refusal | undefined> {
    const full = await this.places.take({ id, principal })
    if (full === undefined) this.#known.know(id, principal)
    return full
  }

  /** The place it had is free. */
  async leave(id: string, principal: Principal): Promise<void> {
    this.#known.forget(id)
    await this.places.leave({ id, principal })
  }

  /** From here on clients find it, on any node. */
  async begin(session: Session): Promise<void> {
    this.#known.know(session.id, session.principal).begun = true
    this.warm.set(session.id, session)
    this.state.places.begin(session.id, session.principal)
    await this.save(session)
  }

  /** Writes down what has been agreed on, and has other nodes look at it again. */
  async save(session: Session): Promise<void> {
    const { id, link } = session
    let ours = agreementOf(link)
    link.unsaved = false
    try {
      for (let tries = 0; ours !== undefined && tries < 10; tries++) {
        const written = await this.#write(session, ours)
        if (written) break
        const theirs = await this.#read(id)
        if (theirs?.record === undefined) return session.end() // It has been ended meanwhile.
        session.version = theirs.version
        ours = merge(session.base ?? ours, ours, theirs.record.agreement)
        restore(link, ours)
      }
    } catch (error) {
      link.unsaved = true
      throw error
    }
    const { version, base } = session
    if (version > 1 && base !== undefined)
      await this.state.node?.sendAll({ kind: 'changed', session: id, version, agreement: base })
  }

  async #write(session: Session, agreement: Agreement): Promise<boolean> {
    const { store } = this.state
    const shared = this.#introductions.share(agreement)
    const record = printRecord(recordOf(session.principal, shared))
    const options = { ttlMs: this.places.ttlMs, ifVersion: session.version }
    const version = await store.put(keyOf(session.id), record, options)
    if (version === undefined) return false
    session.version = version
    session.base = shared
    return true
  }

  /** Without a record where it cannot be read here. */
  async #read(id: string): Promise<KeptRecord | undefined> {
    const entry = await this.state.store.get(keyOf(id))
    return entry && { record: readRecord(entry.value), version: entry.version }
  }

  #isIdle(lastSeen: number, now: number): boolean {
    return now - lastSeen > this.state.settings.sessionIdleMs
  }

  /** Nobody has used it here for long; where others can, its record says whether it is over. */
  #expire(id: string): void {
    if (this.state.node !== undefined) return this.ended(id)
    this.end(id).catch((error: unknown) =>
      this.state.server.observe({ kind: 'crashed', error, method: 'sessions' }),
    )
  }

  /** Goes on with a session by its record. */
  adopt(id: string): Promise<Adopted> {
    const reading = this.#reading.get(id) ?? this.#adopt(id).finally(() => this.#reading.delete(id))
    this.#reading.set(id, reading)
    return reading
  }

  async #adopt(id: string): Promise<Adopted> {
    const { lastSeen } = this.#known.get(id) ?? {}
    const seen = this.warm.get(id)?.seen ?? lastSeen
    if (seen !== undefined && this.#isIdle(seen, this.state.server.platform.now())) this.#expire(id)
    const { record, version } = (ID.test(id) ? await this.#read(id) : undefined) ?? {}
    const warm = this.warm.get(id)
    if (version === undefined || record === undefined) {
      warm?.end()
      return version === undefined ? undefined : 'foreign'
    }
    const session = warm ?? new Session(this, id, record.principal)
    const { link, base } = session
    const unsaved = link.unsaved ? agreementOf(link) : undefined
    const { agreement } = record
    if (!restore(link, unsaved && base ? merge(base, unsaved, agreement) : agreement)) return 'foreign'
    link.unsaved = unsaved !== undefined
    session.base = agreement
    session.version = version
    session.stale = false
    this.warm.set(id, session)
    const known = this.#known.know(id, record.principal)
    known.begun = true
    if (warm === undefined) {
      this.state.server.traced.adopted++
      session.restored = true
      const { told } = known
      session.standalone.restored(told !== undefined && told !== this.state.server.changes.told)
    }
    return session
  }

  /** Ends a session on every node. */
  async end(id: string): Promise<void> {
    const { store, node } = this.state
    const principal = this.#known.get(id)?.principal ?? this.warm.get(id)?.principal
    this.warm.get(id)?.end()
    this.state.pairs.get(id)?.end()
    this.#known.forget(id)
    await store.delete(keyOf(id))
    if (principal !== undefined) await this.leave(id, principal)
    await node?.sendAll({ kind: 'ended', session: id })
  }

  /** Another node has ended it. */
  ended(id: string): void {
    this.warm.get(id)?.end()
    this.#known.forget(id)
  }

  /** Another node has changed what was agreed on. */
  changed({ session: id, version, agreement }: Extract<NodeMessage, { kind: 'changed' }>): void {
    const session = this.warm.get(id)
    if (session === undefined || session.version >= version) return
    session.stale = session.link.unsaved || session.version !== version - 1 || !isAgreement(agreement)
    if (session.stale) return this.#readAgain(session)
    restore(session.link, agreement)
    session.base = agreement
    session.version = version
  }

  /** Anything may have changed while we could not hear of it. */
  missed(): void {
    for (const session of this.warm.values()) {
      session.deafened()
      this.#readAgain(session)
    }
  }

  /** Whoever listens has to be told by what is agreed on now; for the others it is read when they speak. */
  #readAgain({ id, busy }: Session): void {
    if (busy) this.adopt(id).catch(() => {}) // It is read when somebody speaks.
  }

  /** Keeps its record; one that has none any more has been ended elsewhere. */
  touch(session: Session): void {
    const { id, principal } = session
    session.touchedAt = this.state.server.platform.now()
    if (session.version > 0) this.places.keep({ key: keyOf(id), id, principal, ended: () => session.end() })
  }

  /** Lets go of what is not used, and keeps what is. */
  sweep(now: number): void {
    const { server, node } = this.state
    const isSmall = ({ link }: Session) => server.held.of(link) <= PARKED_BYTES
    for (const session of [...this.warm.values()]) {
      session.prune(now)
      if (session.link.unsaved && session.version > 0) this.save(session).catch(() => {}) // The store was away.
      const warmMs = WARM_MS[node !== undefined ? 'elsewhere' : session.used ? 'used' : 'unused']
      if (session.busy) {
        session.lastSeen = now
        if (session.isDue(now)) this.touch(session)
      } else if (this.#isIdle(session.lastSeen, now)) this.#expire(session.id)
      else if (now - session.lastSeen > warmMs && !session.link.unsaved && isSmall(session)) session.park()
    }
    for (const [id, { lastSeen }] of this.#known.all) {
      if (!this.warm.has(id) && this.#isIdle(lastSeen, now)) this.#expire(id)
    }
  }

  /** A session that was opened here is no longer warm. */
  cooled(session: Session): void {
    const known = this.#known.get(session.id)
    if (known !== undefined) {
      known.lastSeen = session.lastSeen
      known.told = session.standalone.told
    }
    this.warm.delete(session.id)
  }

  /** Whoever has been silent longest; one that is connected only where all are, and none in which a call is under way. */
  findSilent(): string | undefined {
    if (this.state.node !== undefined) return undefined // It may be anything but silent on another node.
    let silent: { readonly id: string; readonly seen: number } | undefined
    let connected: string | undefined
    for (const [id, { principal, begun, lastSeen }] of this.#known.all) {
      if (principal.anonymous !== true) continue
      const [warm, pair] = [this.warm.get(id), this.state.pairs.get(id)]
      if ((warm ?? pair)?.link.busy) continue
      const seen = warm?.lastSeen ?? lastSeen
      if (pair !== undefined || warm?.busy === true) connected ??= id
      else if (begun && (silent === undefined || seen < silent.seen)) silent = { id, seen }
    }
    return silent?.id ?? connected
  }
}

/** What we have named ourselves. */
const ID = /^[\w.-]{1,64}$/

const keyOf = (id: string) => `session/${id}`
