import type { Client } from 'pg'
import type { DatabaseError } from './database.ts'
import { configOf, loadPg } from './postgres-client.ts'
import { explainPostgres } from './postgres-errors.ts'
import { Pulse, retryDelay } from './pulse.ts'

export interface EarOptions {
  readonly url: string
  /** The server in words. */
  readonly place: string
  hear(channel: string, payload: string): void
  onLoss(): void
  /** It is there again after it was lost, and listens to nothing yet. */
  onReturn(): void
}

/** A connection that does nothing but listen, which also tells when the server is lost or silent; it comes back by itself. */
export class PostgresEar {
  readonly #options: EarOptions
  #client: Client | undefined
  /** What it was asked last: `pg` wants one after the other. */
  #asked: Promise<unknown> = Promise.resolve()
  #pulse: Pulse | undefined
  #trouble: DatabaseError | undefined
  #retrying: NodeJS.Timeout | undefined
  #closed = false

  private constructor(options: EarOptions) {
    this.#options = options
  }

  /** Rejects with a sentence when there is no such server, or it lets nobody in. */
  static async open(options: EarOptions): Promise<PostgresEar> {
    const ear = new PostgresEar(options)
    await ear.#connect()
    return ear
  }

  get trouble(): DatabaseError | undefined {
    return this.#trouble
  }

  async listen(channels: readonly string[]): Promise<void> {
    await this.#run(channels.map((channel) => `LISTEN "${channel}"`).join(';'))
  }

  async unlisten(channel: string): Promise<void> {
    await this.#run(`UNLISTEN "${channel}"`)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#pulse?.stop()
    clearTimeout(this.#retrying)
    await this.#client?.end().catch(() => {}) // It may be lost already.
  }

  async #run(sql: string): Promise<void> {
    if (this.#trouble !== undefined) throw this.#trouble
    try {
      if (this.#client !== undefined) await this.#ask(this.#client, sql)
    } catch (error) {
      throw this.#trouble ?? this.#explain(error)
    }
  }

  #ask(client: Client, sql: string): Promise<unknown> {
    const answered = this.#asked.then(() => client.query(sql))
    this.#asked = answered.catch(() => {}) // Whoever asked is told.
    return answered
  }

  async #connect(): Promise<void> {
    const pg = await loadPg()
    const client = new pg.Client(configOf(this.#options.url))
    let reason: unknown
    client.on('error', (error) => {
      reason = error
    })
    try {
      await client.connect()
    } catch (error) {
      await client.end().catch(() => {}) // It has nothing to end.
      throw this.#explain(error)
    }
    if (this.#closed) return client.end()
    client.on('notification', ({ channel, payload = '' }) => this.#options.hear(channel, payload))
    client.on('end', () => this.#lose(reason ?? Object.assign(new Error('ECLOSED'), { code: 'ECLOSED' })))
    const silent = () => {
      reason = Object.assign(new Error('ESILENT'), { code: 'ESILENT' })
      this.#lose(reason)
      void client.end().catch(() => {}) // A question is open, so this is the end at once.
    }
    this.#client = client
    this.#asked = Promise.resolve()
    this.#pulse = new Pulse(() => this.#ask(client, 'SELECT 1'), silent)
    this.#trouble = undefined
  }

  #lose(reason: unknown): void {
    if (this.#closed || this.#trouble !== undefined) return
    this.#pulse?.stop()
    this.#trouble = this.#explain(reason)
    this.#options.onLoss()
    this.#retryLater(1)
  }

  #retryLater(attempt: number): void {
    this.#retrying = setTimeout(() => void this.#retry(attempt), retryDelay(attempt))
  }

  async #retry(attempt: number): Promise<void> {
    try {
      await this.#connect()
      if (!this.#closed) this.#options.onReturn()
    } catch (error) {
      this.#trouble = this.#explain(error)
      if (!this.#closed) this.#retryLater(attempt + 1)
    }
  }

  #explain(error: unknown): DatabaseError {
    return explainPostgres(error, this.#options.place)
  }
}
