import type { Json } from '../kernel/index.ts'

interface StoreListener {
  readonly listener: (message: Json) => void
  readonly missed: (() => void) | undefined
}

interface Topic {
  readonly subscribers: Set<StoreListener>
  readonly joined: Promise<unknown>
}

/** How an engine is told what somebody here listens to. */
interface Channels {
  join(topics: readonly string[]): Promise<unknown>
  part(topic: string): Promise<unknown>
}

/** Who listens to what in this process, so that the engine is asked for each topic once. */
export class Topics {
  readonly #channels: Channels
  readonly #topics = new Map<string, Topic>()

  constructor(channels: Channels) {
    this.#channels = channels
  }

  async subscribe(name: string, subscriber: StoreListener): Promise<() => Promise<void>> {
    const topic = this.#topics.get(name) ?? { subscribers: new Set(), joined: this.#channels.join([name]) }
    this.#topics.set(name, topic)
    topic.subscribers.add(subscriber)
    const leave = () => this.#leave(name, topic, subscriber)
    try {
      await topic.joined
      return leave
    } catch (error) {
      await leave()
      throw error
    }
  }

  tell(name: string, message: Json): void {
    const subscribers = this.#topics.get(name)?.subscribers ?? new Set()
    // A listener may make another one leave.
    for (const one of [...subscribers]) if (subscribers.has(one)) one.listener(message)
  }

  /** What is no JSON was said by somebody else: whoever may use an engine may speak on its channels. */
  hear(name: string, text: string): void {
    let message: Json
    try {
      message = JSON.parse(text)
    } catch {
      return
    }
    this.tell(name, message)
  }

  /** Tells those who listen to a topic that something of it was lost. */
  miss(name: string): void {
    for (const { missed } of [...(this.#topics.get(name)?.subscribers ?? [])]) missed?.()
  }

  /** Listens again after a gap, and tells everybody of it. */
  async rejoin(): Promise<void> {
    const names = [...this.#topics.keys()]
    if (names.length > 0) await this.#channels.join(names)
    const all = [...this.#topics.values()].flatMap(({ subscribers }) => [...subscribers])
    for (const { missed } of all) missed?.()
  }

  clear(): void {
    this.#topics.clear()
  }

  async #leave(name: string, topic: Topic, subscriber: StoreListener): Promise<void> {
    if (!topic.subscribers.delete(subscriber) || topic.subscribers.size > 0) return
    if (this.#topics.get(name) !== topic) return
    this.#topics.delete(name)
    await this.#channels.part(name).catch(() => {}) // Where there is no connection, nothing is heard.
  }
}
