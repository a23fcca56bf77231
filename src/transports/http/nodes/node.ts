import { isObject, type Json, type Platform, type Store } from '../../../kernel/index.ts'
import type { NodeMessage } from './messages.ts'

export interface NodeOptions {
  readonly store: Store
  readonly platform: Platform
  /** Takes a message; tells whether it had any use for it. */
  readonly heard: (message: NodeMessage) => boolean
  /** Called when messages may have been lost. */
  readonly missed: () => void
  readonly failed: (error: unknown) => void
  /** Called when the store takes nothing any more, with why, and when it does again. */
  readonly noted: (trouble: string | undefined) => void
}

/** How long a node that says nothing counts as alive, and how often it says something. */
export const LEASE_MS = 10_000
export const BEAT_MS = 2500

/** How soon a store that did not take that is tried again: until then clients are sent elsewhere. */
const AGAIN_MS = 500

/** By then every node that is alive has beaten, or has noticed that it cannot. */
const SURE_MS = 2 * BEAT_MS

/** There for as long as leases may have run out because the store was away. */
const AWAY = 'nodes/away'

/** How long a node is waited for to say that it has heard, how often it is told, and how much it remembers of that. */
const PATIENCE_MS = 1000
const TRIES = 3
const REMEMBERED = 1000

/** What travels: a message, or that one has been heard. */
interface Letter {
  readonly from: string
  readonly number?: number
  readonly heard?: number
  /** Whether it was heard in vain: there is no such thing there. */
  readonly vain?: boolean
  readonly message?: NodeMessage
}

/** What became of a message to another node. */
type Reception = 'taken' | 'in vain' | 'not at all'

const ALL = 'nodes'

/** One of the processes that share a store: its name, its lease, and its mail. */
export class Node {
  /** Short, since every event and every question carries it. */
  readonly id: string
  openedAt = 0
  /** Why its lease could not be renewed when that was last tried, though the store may be there: one that is full takes nothing. */
  trouble: string | undefined
  readonly #options: NodeOptions
  readonly #leave: (() => Promise<void>)[] = []
  #stopBeat: (() => void) | undefined
  /** The beat that is on its way. */
  #beating: Promise<void> | undefined
  /** Whether it goes on beating, and whether the last beat has yet to be taken. */
  #beats = false
  #failed = false
  #opening: Promise<void> | undefined
  /** When the store last took our own lease. */
  #beatAt = 0
  #lastNumber = 0
  /** Who waits to hear that a message has arrived, by its number. */
  readonly #unheard = new Map<number, (heard: Reception) => void>()
  /** What has been heard already, should it come twice. */
  readonly #heard = new Set<string>()

  constructor(options: NodeOptions) {
    this.#options = options
    this.id = options.platform.randomId().replaceAll('-', '').slice(0, 10)
  }

  open(): Promise<void> {
    this.#opening ??= this.#open().catch(async (error: unknown) => {
      await this.#retire()
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  async #open(): Promise<void> {
    const { store, platform, missed, failed } = this.#options
    const hear = (message: Json) => this.#hear(message)
    const gap = () => {
      this.#tellAway().catch(failed)
      missed()
    }
    this.openedAt = platform.now()
    this.#beats = true
    await this.#beat()
    this.#leave.push(await store.subscribe(topicOf(this.id), hear, gap))
    this.#leave.push(await store.subscribe(ALL, hear))
  }

  /** Nothing goes on that was begun, also where not all of it could be. */
  async #retire(): Promise<void> {
    this.#beats = false
    this.#stopBeat?.()
    await this.#beating?.catch(() => {}) // It has been told of.
    await Promise.allSettled(this.#leave.splice(0).map((leave) => leave()))
  }

  /** Nobody need wait for the lease to run out. */
  async close(): Promise<void> {
    if (this.#opening === undefined) return
    await this.#opening.catch(() => {})
    await this.#retire()
    await this.#options.store.delete(leaseOf(this.id)).catch(() => {}) // It runs out by itself.
  }

  /** Whether a node is at work; one whose lease may have run out only because nobody could renew it counts as alive. */
  async isAlive(node: string): Promise<boolean> {
    const { store } = this.#options
    if (node === this.id) return true
    const [lease, away] = await Promise.all([store.get(leaseOf(node)), store.get(AWAY)])
    return lease !== undefined || away !== undefined || this.#isUnsure()
  }

  /** Whether the store may have been away without anybody having said so yet: our own lease is late, or we are new. */
  #isUnsure(): boolean {
    const now = this.#options.platform.now()
    return now - this.#beatAt > SURE_MS || now - this.openedAt < SURE_MS
  }

  /** Has every node know, also those that are started only now, that a lease that has run out means nothing for a while. */
  async #tellAway(): Promise<void> {
    await this.#options.store.put(AWAY, true, { ttlMs: LEASE_MS })
  }

  /** Tells another node, and again until it says that it has heard. */
  async send(to: string, message: NodeMessage): Promise<Reception> {
    const number = ++this.#lastNumber
    for (let tries = 0; tries < TRIES; tries++) {
      const heard = this.#untilHeard(number)
      await this.#publish(topicOf(to), { from: this.id, number, message })
      const answer = await heard
      if (answer !== 'not at all') return answer
      if (!(await this.isAlive(to))) break
    }
    return 'not at all'
  }

  #untilHeard(number: number): Promise<Reception> {
    const { after } = this.#options.platform
    return new Promise((resolve) => {
      const done = (heard: Reception) => {
        stopClock()
        this.#unheard.delete(number)
        resolve(heard)
      }
      const stopClock = after(PATIENCE_MS, () => done('not at all'))
      this.#unheard.set(number, done)
    })
  }

  /** Tells all other nodes, as many as hear. */
  sendAll(message: NodeMessage): Promise<void> {
    return this.#publish(ALL, { from: this.id, message })
  }

  #publish(topic: string, letter: Letter): Promise<void> {
    return this.#options.store.publish(topic, letter as unknown as Json) // Plain values.
  }

  #hear(notice: Json): void {
    if (!isObject(notice) || typeof notice['from'] !== 'string') return // No node has said it.
    const { from, number, heard, vain, message } = notice as unknown as Letter // As published.
    // All hear in the same order who has a stream, so each has to hear when its own word comes.
    if (from === this.id && message?.kind !== 'held') return
    if (heard !== undefined) return this.#unheard.get(heard)?.(vain === true ? 'in vain' : 'taken')
    const repeated = number !== undefined && this.#isRepeated(`${from}.${number}`)
    const taken = repeated || !isObject(message) || this.#options.heard(message)
    if (number === undefined) return
    const answer = { from: this.id, heard: number, ...(!taken && { vain: true }) }
    this.#publish(topicOf(from), answer).catch(this.#options.failed)
  }

  #isRepeated(name: string): boolean {
    if (this.#heard.has(name)) return true
    this.#heard.add(name)
    if (this.#heard.size > REMEMBERED) for (const oldest of this.#heard) return !this.#heard.delete(oldest)
    return false
  }

  #beat(): Promise<void> {
    this.#failed = true
    this.#beating = this.#renew().finally(() => this.#beatLater())
    return this.#beating
  }

  async #renew(): Promise<void> {
    const { store, platform } = this.#options
    await store.put(leaseOf(this.id), true, { ttlMs: LEASE_MS })
    const late = this.#beatAt > 0 && platform.now() - this.#beatAt > SURE_MS
    if (late) await this.#tellAway()
    this.#beatAt = platform.now()
    this.#failed = false
    this.#note(undefined)
  }

  #note(trouble: string | undefined): void {
    const isNews = (trouble === undefined) !== (this.trouble === undefined)
    this.trouble = trouble
    if (isNews) this.#options.noted(trouble)
  }

  #beatLater(): void {
    const { platform, failed } = this.#options
    const again = () => {
      this.#beat().catch((error: unknown) => {
        this.#note(error instanceof Error ? error.message : String(error))
        failed(error)
      })
    }
    if (this.#beats) this.#stopBeat = platform.after(this.#failed ? AGAIN_MS : BEAT_MS, again)
  }
}

/** The node that something belongs to by its name, `NODE-1` or `NODE.1`. */
export function nodeOf(name: string): string | undefined {
  return /^([\da-f]{10})[-.]/.exec(name)?.[1]
}

const leaseOf = (node: string) => `node/${node}`
const topicOf = (node: string) => `node/${node}`
