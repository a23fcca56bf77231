import { createHash, randomUUID } from 'node:crypto'
import type { Row, Value } from '../databases/database.ts'
import type { Json } from '../kernel/index.ts'
import { Batches } from './batches.ts'
import { SQL } from './postgres-schema.ts'
import { Topics } from './topics.ts'

interface TopicsOptions {
  readonly prefix: string
  query(sql: string, values: readonly Value[]): Promise<readonly Row[]>
  listen(channels: readonly string[]): Promise<void>
  unlisten(channel: string): Promise<void>
}

/** NOTIFY carries less than 8,000 bytes; longer messages stand in a table for a while, and their id travels. */
const MAX_PAYLOAD = 7900

const HEARING_MS = 3000

/** Topics as channels of LISTEN and NOTIFY. What is published leaves in order, together if there is much of it. */
export class PostgresTopics {
  readonly #options: TopicsOptions
  readonly #topics: Topics
  readonly #messages: Batches<readonly [channel: string, message: string], void>
  /** What was heard and is yet to be fetched; what comes after it waits. */
  #fetching: Promise<void> | undefined
  #sent = 0

  constructor(options: TopicsOptions) {
    this.#options = options
    this.#topics = new Topics({ join: options.listen, part: options.unlisten })
    this.#messages = new Batches((_all, messages) => this.#send(messages))
  }

  publish(topic: string, message: Json): Promise<void> {
    return this.#messages.add('', [this.#channelOf(topic), JSON.stringify(message)])
  }

  subscribe(topic: string, subscriber: Parameters<Topics['subscribe']>[1]): Promise<() => Promise<void>> {
    return this.#topics.subscribe(this.#channelOf(topic), subscriber)
  }

  hear(channel: string, payload: string): void {
    const { kind, text } = parsePayload(payload)
    if (kind === 'message' && this.#fetching === undefined) return this.#topics.hear(channel, text)
    const fetching = this.#after(this.#fetching, channel, { kind, text }).finally(() => {
      if (this.#fetching === fetching) this.#fetching = undefined
    })
    this.#fetching = fetching
  }

  rejoin(): void {
    // A gap that begins before everything is joined again is followed by another return.
    this.#topics.rejoin().catch(() => {})
  }

  /** Whether what one connection says is heard by another, which not everything that stands in between allows. */
  async canHear(): Promise<boolean> {
    let leave: (() => Promise<void>) | undefined
    let timer: NodeJS.Timeout | undefined
    const heard = await new Promise<boolean>((resolve, reject) => {
      timer = setTimeout(() => resolve(false), HEARING_MS)
      const topic = randomUUID()
      const ask = async () => {
        leave = await this.subscribe(topic, { listener: () => resolve(true), missed: undefined })
        await this.publish(topic, null)
      }
      ask().catch(reject)
    })
    clearTimeout(timer)
    await leave?.()
    return heard
  }

  clear(): void {
    this.#topics.clear()
  }

  async #send(messages: readonly (readonly [channel: string, message: string])[]): Promise<readonly void[]> {
    const long: [id: string, message: string][] = []
    const notices = messages.map(([channel, message]) => {
      // Of two that are alike, a transaction would send one.
      const payload = `${++this.#sent}:${message}`
      if (Buffer.byteLength(payload) < MAX_PAYLOAD) return [channel, payload]
      const id = randomUUID()
      long.push([id, message])
      return [channel, `${this.#sent}#${id}`]
    })
    const values = [JSON.stringify(notices)]
    if (long.length === 0) await this.#options.query(SQL.publish, values)
    else await this.#options.query(SQL.publishLong, [...values, JSON.stringify(long)])
    return messages.map(() => undefined)
  }

  async #after(before: Promise<void> | undefined, channel: string, { kind, text }: Payload): Promise<void> {
    await before?.catch(() => {}) // Whoever failed to hear it has been told.
    if (kind === 'message') this.#topics.hear(channel, text)
    else await this.#fetch(channel, text)
  }

  async #fetch(channel: string, id: string): Promise<void> {
    const [row] = await this.#options.query(SQL.message, [id]).catch(() => [])
    if (row === undefined) this.#topics.miss(channel)
    else this.#topics.hear(channel, String(row['value']))
  }

  /** The name of a channel may have 63 bytes. */
  #channelOf(topic: string): string {
    const hash = createHash('sha256').update(this.#options.prefix + topic)
    return `perigee_${hash.digest('hex').slice(0, 40)}`
  }
}

/** A message, or the id of one that was too long. */
interface Payload {
  readonly kind: 'message' | 'id'
  readonly text: string
}

function parsePayload(payload: string): Payload {
  const digits = /^\d+/.exec(payload)?.[0].length ?? 0
  return { kind: payload[digits] === '#' ? 'id' : 'message', text: payload.slice(digits + 1) }
}
