import {
  type AuthorMiddleware,
  type Call,
  Fault,
  type Link,
  membersOf,
  number,
  type Store,
  texts,
  turnAway,
} from '../kernel/index.ts'

interface BurstOptions {
  /** How many calls may come at once after a pause; by default as many as in one second or minute. */
  readonly burst?: number
  /** Which methods count. */
  readonly methods?: readonly string[]
}

/** How many calls each caller may make, in a second or in a minute. */
export type RateLimitOptions = BurstOptions &
  ({ readonly perSecond: number } | { readonly perMinute: number })

const checkOptions = membersOf({ perSecond: number, perMinute: number, burst: number, methods: texts })

const METHODS = ['tools/call', 'resources/read', 'prompts/get', 'completion/complete']
const MAX_BUCKETS = 10_000

/**
 * Lets each caller do so much and no more; callers that nobody knows share what one may do. Where servers share a
 * store, what a caller does on one of them counts on all.
 * @example defineServer({ name: 'sums', version: '1.0.0', middleware: [rateLimit({ perMinute: 100 })] })
 */
export function rateLimit(options: RateLimitOptions): AuthorMiddleware {
  return limitCalls(options, 'rateLimit')
}

/** The same, with the name of what somebody would have to change. */
export function limitCalls(options: RateLimitOptions, source: string): AuthorMiddleware {
  checkOptions(options, 'rateLimit')
  const [count, spanMs] =
    'perSecond' in options ? [options.perSecond, 1000] : ([options.perMinute, 60_000] as const)
  const { burst = Math.max(1, count), methods = METHODS } = options
  if (!(count > 0 && burst >= 1 && Number.isFinite(count) && Number.isFinite(burst))) {
    throw new TypeError(
      'rateLimit: expected { perMinute } or { perSecond } above 0, and a burst of at least 1',
    )
  }
  const calls = `${count} ${count === 1 ? 'call' : 'calls'} a ${spanMs === 1000 ? 'second' : 'minute'}`
  const rate: Allowance = { perMs: count / spanMs, burst, allowed: `a caller may make ${calls} (${source})` }
  const counted = new Set(methods)
  const buckets = new Buckets(rate)
  const name = [count, spanMs, burst, ...methods].join(' ')
  return (call: Call, next) => {
    if (!counted.has(call.method)) return next(call)
    const { store } = call.server.platform
    const { principal } = call
    // A store that is away must not keep calls from being answered: then each server counts for itself.
    if (principal === undefined || !store.shared || store.trouble() !== undefined) {
      take(call, buckets.of(call), rate)
      return next(call)
    }
    const bucket = `limits/${call.server.info.name}/${name}/${principal.id}`
    return takeShared(store, bucket, rate).then((waitMs) => {
      if (waitMs === undefined) take(call, buckets.of(call), rate)
      else if (waitMs > 0) throw turnAway(call, tooMany(waitMs, rate))
      return next(call)
    })
  }
}

/** Takes one from a bucket that servers share; undefined where that cannot be asked right now. */
function takeShared(store: Store, bucket: string, { perMs, burst }: Allowance): Promise<number | undefined> {
  return store.take(bucket, { burst, perSecond: perMs * 1000 }).catch(() => undefined)
}

interface Allowance {
  readonly perMs: number
  readonly burst: number
  /** In words. */
  readonly allowed: string
}

/** What a caller has left, as of a moment; it is filled up when it is next looked at. */
interface Bucket {
  left: number
  at: number
}

function fill(bucket: Bucket, { perMs, burst }: Allowance, now: number): Bucket {
  bucket.left = Math.min(burst, bucket.left + Math.max(0, now - bucket.at) * perMs)
  bucket.at = now
  return bucket
}

/** Sums of fractions come out a little under a whole. */
const ONE = 1 - 1e-9

function take(call: Call, bucket: Bucket, rate: Allowance): void {
  if (bucket.left < ONE) throw turnAway(call, tooMany(Math.ceil((1 - bucket.left) / rate.perMs), rate))
  bucket.left -= 1
}

function tooMany(retryAfterMs: number, { allowed }: Allowance): Fault {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  const message = `Too many requests: ${allowed}: try again in ${seconds} s`
  return new Fault('rateLimited', message, { retryAfterMs }, undefined, message)
}

/** The buckets of callers in the order in which they last called. */
class Buckets {
  readonly #rate: Allowance
  readonly #byPrincipal = new Map<string, Bucket>()
  readonly #byLink = new WeakMap<Link, Bucket>()

  constructor(rate: Allowance) {
    this.#rate = rate
  }

  of({ principal, link, server }: Call): Bucket {
    const now = server.platform.now()
    if (principal === undefined) {
      const bucket = this.#fill(this.#byLink.get(link), now)
      this.#byLink.set(link, bucket)
      return bucket
    }
    const bucket = this.#fill(this.#byPrincipal.get(principal.id), now)
    this.#byPrincipal.delete(principal.id)
    this.#byPrincipal.set(principal.id, bucket)
    this.#prune(now)
    return bucket
  }

  #fill(bucket: Bucket | undefined, now: number): Bucket {
    return bucket === undefined ? { left: this.#rate.burst, at: now } : fill(bucket, this.#rate, now)
  }

  /** A bucket that is full again is as good as none; those that have waited longest come first. */
  #prune(now: number): void {
    const fullAfterMs = this.#rate.burst / this.#rate.perMs
    for (const [id, { at }] of this.#byPrincipal) {
      if (this.#byPrincipal.size <= MAX_BUCKETS && now - at < fullAfterMs) return
      this.#byPrincipal.delete(id)
    }
  }
}
