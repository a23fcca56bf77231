import { isObject } from '../jsonrpc/message.ts'
import type { Store } from '../ports/store.ts'
import { describe } from '../words/describe.ts'
import { Mistake } from '../words/mistake.ts'

const METHODS = [
  ...(['get', 'put', 'touch', 'delete', 'append', 'read', 'publish', 'subscribe'] as const),
  ...(['take', 'enter', 'leave', 'trouble', 'close'] as const),
] satisfies readonly (keyof Store)[]

/**
 * Throws a TypeError unless it is a store; told by its methods, since stores may be of anybody's making.
 * @example checkStore(undefined, 'servePort: store') // servePort: store: expected a store, got nothing
 */
export function checkStore(value: unknown, where: string, expected = 'a store'): void {
  const missing = isObject(value) ? METHODS.find((name) => typeof value[name] !== 'function') : METHODS[0]
  if (missing === undefined) return
  throw new Mistake(`${where}: expected ${expected}, got ${wordsFor(value, missing)}`)
}

/** A URL is not repeated, since it may have a password in it. */
function wordsFor(value: unknown, missing: string): string {
  if (typeof value === 'string')
    return 'a string: openStore(URL) opens one, and defineServer({ store: URL }) does so itself'
  return isObject(value) ? `an object without ${missing}()` : describe(value)
}
