import { clearInterval, setInterval } from 'node:timers' // Those of the platform itself may have no unref.
import type { Row, Value } from '../databases/database.ts'
import type { Json } from '../kernel/index.ts'
import { SQL } from './sqlite-schema.ts'

interface NoticeListener {
  readonly topic: string
  readonly hear: (message: Json) => void
  readonly missed: (() => void) | undefined
}

interface NoticeSubscriber extends NoticeListener {
  /** The last notice from before it listened. */
  readonly after: number
}

interface NoticesOptions {
  query(sql: string, values?: readonly Value[]): Promise<readonly Row[]>
  now(): number
  readonly pollMs: number
  /** How long a notice waits for the other processes to look. */
  readonly lifeMs: number
}

/** Who listens here, and what others have written into the file for them; it is looked at while somebody listens. */
export class Notices {
  readonly #options: NoticesOptions
  readonly #subscribers = new Set<NoticeSubscriber>()
  /** The last notice that was looked at, and when. */
  #seen = 0
  #looked = 0
  #reading: Promise<void> | undefined
  #polling: NodeJS.Timeout | undefined

  constructor(options: NoticesOptions) {
    this.#options = options
  }

  async subscribe(listener: NoticeListener): Promise<() => Promise<void>> {
    const subscriber = { ...listener, after: await this.#last() }
    if (this.#subscribers.size === 0) {
      this.#seen = subscriber.after
      this.#looked = this.#options.now()
    }
    this.#subscribers.add(subscriber)
    this.#polling ??= setInterval(() => void this.#poll(), this.#options.pollMs).unref()
    return async () => {
      this.#subscribers.delete(subscriber)
      if (this.#subscribers.size === 0) this.#stop()
    }
  }

  /** Tells what was published here in its turn, after what others had published before: all hear it in the same order. */
  async published(topic: string, message: Json, number: number): Promise<void> {
    if (this.#subscribers.size === 0) return
    if (this.#reading === undefined && number === this.#seen + 1) {
      this.#seen = number
      return this.#tell(topic, message, number)
    }
    await this.#reading
    if (this.#seen < number) await this.#poll()
  }

  #tell(topic: string, message: Json, number: number): void {
    for (const subscriber of [...this.#subscribers]) {
      // A listener may make another one leave.
      if (subscriber.topic !== topic || subscriber.after >= number || !this.#subscribers.has(subscriber))
        continue
      subscriber.hear(message)
    }
  }

  close(): void {
    this.#subscribers.clear()
    this.#stop()
  }

  #poll(): Promise<void> {
    this.#reading ??= this.#look()
      .catch(() => {}) // The next look may succeed.
      .finally(() => {
        this.#reading = undefined
      })
    return this.#reading
  }

  async #look(): Promise<void> {
    const last = await this.#last()
    // Numbers that begin anew are those of another file.
    const [replaced, late] = [last < this.#seen, this.#options.now() - this.#looked >= this.#options.lifeMs]
    if (replaced) this.#seen = 0
    const rows = last === this.#seen ? [] : await this.#options.query(SQL.notices, [this.#seen])
    this.#looked = this.#options.now()
    for (const row of rows) {
      const number = Number(row['number'])
      this.#seen = Math.max(this.#seen, number)
      this.#tell(String(row['topic']), JSON.parse(String(row['value'])), replaced ? Infinity : number)
    }
    if (replaced || late) for (const { missed } of [...this.#subscribers]) missed?.()
  }

  async #last(): Promise<number> {
    const [row] = await this.#options.query(SQL.lastNotice)
    return Number(row?.['number'])
  }

  #stop(): void {
    clearInterval(this.#polling)
    this.#polling = undefined
  }
}
