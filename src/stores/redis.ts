import type { Redis } from 'ioredis'
import { Later } from '../databases/by-url.ts'
import { DEFAULT_PREFIX } from '../databases/prefix.ts'
import { RedisConnection } from '../databases/redis.ts'
import { parseRedisUrl, type RedisAddress } from '../databases/redis-url.ts'
import type {
  AppendOptions,
  EnterOptions,
  Entry,
  Item,
  Json,
  PutOptions,
  Rate,
  Store,
} from '../kernel/index.ts'
import { Appends } from './appends.ts'
import { intervalOf } from './bucket.ts'
import { parseKept } from './parse-kept.ts'
import { SCRIPTS, type ScriptCommands } from './redis-scripts.ts'
import { Topics } from './topics.ts'

/** A store in Redis or Valkey. Rejects with a sentence when it cannot be reached. */
export async function openRedisStore(url: string): Promise<Store> {
  const address = parseRedisUrl(url)
  return new RedisStore(address, await RedisConnection.open({ address, scripts: SCRIPTS }))
}

/** Every operation is one command or one script; topics have a connection of their own, as Redis wants it. */
class RedisStore implements Store {
  readonly shared: boolean = true
  readonly #connection: RedisConnection
  readonly #prefix: string
  /** What our channels begin with: unlike keys, they are the same in all databases of a server. */
  readonly #channels: string
  readonly #ear: Later<RedisConnection>
  readonly #topics: Topics
  readonly #appends = new Appends((log, values, options) => this.#append(log, values, options))
  #hearing: RedisConnection | undefined

  constructor(address: RedisAddress, connection: RedisConnection) {
    this.#connection = connection
    this.#prefix = address.prefix ?? DEFAULT_PREFIX
    this.#channels = address.db === 0 ? this.#prefix : `${this.#prefix}${address.db}/`
    this.#ear = new Later(() => this.#openEar(address))
    this.#topics = new Topics({
      join: async (channels) => (await this.#ear.get()).run((client) => client.subscribe(...channels)),
      part: async (channel) => (await this.#ear.get()).run((client) => client.unsubscribe(channel)),
    })
  }

  async get(key: string): Promise<Entry | undefined> {
    const kept = await this.#run((client) => client.get(this.#key(key, 'entry')))
    if (kept === null) return undefined
    const version = /^\d+ /.exec(kept)?.[0] ?? ''
    return { value: parseKept(kept.slice(version.length)), version: Number(version) }
  }

  async put(key: string, value: Json, { ttlMs, ifVersion }: PutOptions = {}): Promise<number | undefined> {
    const args = [JSON.stringify(value), lifetime(ttlMs), ifVersion ?? '']
    const version = await this.#script((scripts) => scripts.perigeePut(this.#key(key, 'entry'), ...args))
    return version ?? undefined
  }

  async touch(key: string, ttlMs: number): Promise<boolean> {
    const life = Math.min(Math.ceil(ttlMs), FOR_EVER_MS)
    return (await this.#run((client) => client.pexpire(this.#key(key, 'entry'), life))) === 1
  }

  async delete(key: string): Promise<void> {
    await this.#run((client) => client.unlink(this.#key(key, 'entry'), ...this.#logKeys(key)))
  }

  async append(log: string, value: Json, options: AppendOptions = {}): Promise<number> {
    return this.#appends.add(log, value, options)
  }

  async read(log: string, after: number, limit: number): Promise<readonly Item[]> {
    const most = Math.min(limit, Number.MAX_SAFE_INTEGER)
    const [first, values] = await this.#script((scripts) =>
      scripts.perigeeRead(...this.#logKeys(log), after, most),
    )
    return values.map((value, index) => ({ number: first + index, value: parseKept(value) }))
  }

  async publish(topic: string, message: Json): Promise<void> {
    await this.#run((client) => client.publish(this.#channels + topic, JSON.stringify(message)))
  }

  async subscribe(
    topic: string,
    listener: (message: Json) => void,
    missed?: () => void,
  ): Promise<() => Promise<void>> {
    return this.#topics.subscribe(this.#channels + topic, { listener, missed })
  }

  async take(bucket: string, rate: Rate): Promise<number> {
    const interval = intervalOf(rate)
    const slack = (rate.burst - 1) * interval
    return this.#script((scripts) => scripts.perigeeTake(this.#key(bucket, 'bucket'), interval, slack))
  }

  async enter(group: string, member: string, { ttlMs, limit }: EnterOptions): Promise<boolean> {
    const key = this.#key(group, 'group')
    return (await this.#script((scripts) => scripts.perigeeEnter(key, member, ttlMs, limit))) === 1
  }

  async leave(group: string, member: string): Promise<void> {
    await this.#run((client) => client.zrem(this.#key(group, 'group'), member))
  }

  trouble(): string | undefined {
    return this.#connection.trouble ?? this.#hearing?.trouble
  }

  async close(): Promise<void> {
    this.#topics.clear()
    this.#connection.close()
    const ear = await this.#ear.used?.catch(() => undefined) // One that never opened has nothing to close.
    ear?.close()
  }

  async #openEar(address: RedisAddress): Promise<RedisConnection> {
    // A gap that begins before everything is joined again is followed by another return.
    const onReturn = () => void this.#topics.rejoin().catch(() => {})
    const ear = await RedisConnection.open({ address, onReturn })
    ear.client.on('message', (channel, message) => this.#topics.hear(channel, message))
    this.#hearing = ear
    return ear
  }

  #append(log: string, values: readonly string[], options: AppendOptions): Promise<number> {
    const args = [lifetime(options.ttlMs), bound(options.keep), bound(options.keepBytes), ...values]
    return this.#script((scripts) => scripts.perigeeAppend(...this.#logKeys(log), ...args))
  }

  #run<Reply>(command: (client: Redis) => Promise<Reply>): Promise<Reply> {
    return this.#connection.run(command)
  }

  #script<Reply>(command: (scripts: ScriptCommands) => Promise<Reply>): Promise<Reply> {
    return this.#connection.run((client) => command(client as unknown as ScriptCommands)) // It was made with them.
  }

  /** What has one name has one hash tag, and so one place. */
  #key(name: string, kind: 'entry' | 'items' | 'log' | 'bucket' | 'group'): string {
    return `${this.#prefix}{${name}}${kind}`
  }

  #logKeys(name: string): [items: string, log: string] {
    return [this.#key(name, 'items'), this.#key(name, 'log')]
  }
}

/** A hundred years. */
const FOR_EVER_MS = 3_155_760_000_000

/** At least a millisecond: Redis knows no shorter life. */
function lifetime(ttlMs: number | undefined): number | '' {
  return ttlMs === undefined || !Number.isFinite(ttlMs) ? '' : Math.max(1, Math.ceil(ttlMs))
}

function bound(most: number | undefined): number | '' {
  return most === undefined || !Number.isFinite(most) ? '' : most
}
