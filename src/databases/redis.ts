import type { Redis } from 'ioredis'
import { DatabaseError } from './database.ts'
import { Pulse, retryDelay } from './pulse.ts'
import { explainRedis } from './redis-errors.ts'
import { speaksPlainly } from './redis-plainly.ts'
import type { RedisAddress } from './redis-url.ts'

/** Lua by the name of its command. */
export type RedisScripts = {
  readonly [name: string]: { readonly lua: string; readonly numberOfKeys: number }
}

export interface RedisOptions {
  readonly address: RedisAddress
  readonly scripts?: RedisScripts
  /** It is there again after it was lost. */
  readonly onReturn?: () => void
}

const CONNECT_MS = 5000

/** How many commands may wait for their answers. */
const MAX_PENDING = 10_000

/** A connection that says so at once when it is lost or silent, and comes back by itself; nothing waits for that. */
export class RedisConnection {
  readonly client: Redis
  readonly #place: string
  readonly #pulse: Pulse
  #trouble: DatabaseError | undefined
  #pending = 0
  #closed = false

  private constructor(client: Redis, { address, onReturn }: RedisOptions) {
    this.client = client
    this.#place = address.place
    let reason: unknown
    client.on('error', (error: unknown) => {
      reason = error
      if (this.#trouble !== undefined) this.#trouble = this.#explain(error)
    })
    client.on('close', () => {
      this.#trouble ??= this.#explain(reason ?? new Error('Connection is closed'))
      reason = undefined
    })
    client.on('ready', () => {
      this.#trouble = undefined
      onReturn?.()
    })
    this.#pulse = new Pulse(
      () => this.#ask(),
      () => this.#fallSilent(),
    )
  }

  /** Rejects with a sentence when there is no such server, or it lets nobody in. */
  static async open(options: RedisOptions): Promise<RedisConnection> {
    const { address } = options
    const client = await createClient(options)
    let said: unknown
    const note = (error: unknown) => {
      said = error
    }
    client.on('error', note)
    try {
      await inTime(client.connect(), CONNECT_MS)
      // Where this fails, ioredis goes on with another one and says nothing.
      await inTime(client.select(address.db), CONNECT_MS)
      await inTime(checkVersion(client, address.place), CONNECT_MS)
      client.off('error', note)
      return new RedisConnection(client, options)
    } catch (error) {
      client.disconnect()
      const plain = address.tls && (await speaksPlainly(address))
      throw explainRedis(plain ? codeError('ENOTLS') : (said ?? error), address.place)
    }
  }

  get trouble(): string | undefined {
    return this.#trouble?.message
  }

  /** Gives a command to the server, unless it is known that it would not get there. */
  async run<Reply>(command: (client: Redis) => Promise<Reply>): Promise<Reply> {
    if (this.#closed) throw new DatabaseError(`${this.#place} is no longer used: the store has been closed`)
    if (this.#trouble !== undefined) throw this.#trouble
    if (this.#pending >= MAX_PENDING) throw this.#explain(codeError('EBUSY'))
    this.#pending++
    try {
      return await command(this.client)
    } catch (error) {
      throw this.#trouble ?? this.#explain(error)
    } finally {
      this.#pending--
    }
  }

  close(): void {
    this.#closed = true
    this.#pulse.stop()
    this.client.disconnect()
  }

  /** A server may also take a connection and then say nothing; while there is none, there is nobody to ask. */
  #ask(): Promise<unknown> {
    const { status } = this.client
    if (status === 'ready') return this.client.ping()
    if (status !== 'connect') return Promise.resolve()
    return new Promise((resolve) => this.client.once('close', resolve).once('ready', resolve))
  }

  #fallSilent(): void {
    this.#trouble = this.#explain(codeError('ESILENT'))
    this.client.disconnect(true)
  }

  #explain(error: unknown): DatabaseError {
    return explainRedis(error, this.#place)
  }
}

function codeError(code: string): Error {
  return Object.assign(new Error(code), { code })
}

async function inTime<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(codeError('ESILENT')), milliseconds)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** What was sent and not answered may have been done, so nothing is ever sent again. */
async function createClient({ address, scripts = {} }: RedisOptions): Promise<Redis> {
  const Redis = await loadIoredis()
  const { host, port, username, password, db, tls } = address
  return new Redis({
    host,
    port,
    db,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls: {} }),
    scripts: { ...scripts },
    protocol: 2,
    connectionName: 'perigee',
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    disconnectTimeout: 1,
    enableOfflineQueue: false,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: retryDelay,
    // What was the primary server may be one no longer, and its name lead to another.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  })
}

async function loadIoredis(): Promise<typeof Redis> {
  try {
    return (await import('ioredis')).Redis
  } catch (error) {
    throw new DatabaseError('Redis needs the package ioredis: npm install ioredis', { cause: error })
  }
}

const OLDEST = [6, 2] as const

/** Valkey says which Redis it is like. A server that tells nothing of itself is taken as it is. */
async function checkVersion(client: Redis, place: string): Promise<void> {
  const about = await client.info('server').catch(() => '')
  const [, major, minor] = /redis_version:(\d+)\.(\d+)/.exec(about)?.map(Number) ?? []
  if (major === undefined || minor === undefined) return
  const [oldest, oldestMinor] = OLDEST
  if (major > oldest || (major === oldest && minor >= oldestMinor)) return
  throw new DatabaseError(`${place} is Redis ${major}.${minor}: a store needs ${OLDEST.join('.')} or newer`)
}
