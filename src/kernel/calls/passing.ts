/**
 * What comes and goes, by key. The tables that a Map has outgrown hold on to what was in them, and each to the next, until
 * the collector looks at everything: here that is an empty place.
 * @example
 * const calls = new Passing<number, string>()
 * calls.set(1, 'tools/call')
 * calls.delete(1)
 */
export class Passing<Key, Value> {
  readonly #places = new Map<Key, { value: Value | undefined }>()

  get size(): number {
    return this.#places.size
  }

  has(key: Key): boolean {
    return this.#places.has(key)
  }

  get(key: Key): Value | undefined {
    return this.#places.get(key)?.value
  }

  set(key: Key, value: Value): void {
    this.#places.set(key, { value })
  }

  delete(key: Key): void {
    const place = this.#places.get(key)
    if (place !== undefined) place.value = undefined
    this.#places.delete(key)
  }

  values(): readonly Value[] {
    return Array.from(this.#places.values(), ({ value }) => value as Value) // Only what has left has none.
  }
}
