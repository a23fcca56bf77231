import { isObject, type JsonObject } from '../kernel/index.ts'

/** What a server makes up anew each time, and a client hands back as it got it. */
const OPAQUE = /^(requestState|taskId|cursor|nextCursor|sessionId|elicitationId)$/

/** What stood in a recording, and what the server says now in its place. */
export class Handles {
  readonly #now = new Map<string, string>()
  readonly #then = new Map<string, string>()

  /** Learns from a message as it was, and as it is now. */
  learn(then: unknown, now: unknown): void {
    if (Array.isArray(then) && Array.isArray(now))
      for (const [at, one] of then.entries()) this.learn(one, now[at])
    if (!isObject(then) || !isObject(now)) return
    for (const [name, was] of Object.entries(then)) {
      const is = Object.hasOwn(now, name) ? now[name] : undefined
      if (OPAQUE.test(name) && typeof was === 'string' && typeof is === 'string') {
        this.#now.set(was, is)
        this.#then.set(is, was)
      } else this.learn(was, is)
    }
  }

  /** A message of a recording, as the server has to be told it now. */
  toNow(message: JsonObject): JsonObject {
    return replace(message, this.#now) as JsonObject // An object stays one.
  }

  /** A message of the server's, as it would have been recorded. */
  toThen(message: JsonObject): JsonObject {
    return replace(message, this.#then) as JsonObject // An object stays one.
  }
}

function replace(value: unknown, known: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return known.get(value) ?? value
  if (Array.isArray(value)) return value.map((one) => replace(one, known))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replace(member, known)]))
}
