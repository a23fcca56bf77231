import { useEffect, useState } from 'preact/hooks'

/** A value that is looked at, and told of when it changes. */
export class Store<Value> {
  #value: Value
  readonly #hearers = new Set<(value: Value) => void>()

  constructor(value: Value) {
    this.#value = value
  }

  get value(): Value {
    return this.#value
  }

  set(value: Value): void {
    if (Object.is(value, this.#value)) return
    this.#value = value
    for (const hear of [...this.#hearers]) hear(value)
  }

  change(how: (value: Value) => Value): void {
    this.set(how(this.#value))
  }

  subscribe(hear: (value: Value) => void): () => void {
    this.#hearers.add(hear)
    return () => this.#hearers.delete(hear)
  }
}

/** A store's value in a component, which is drawn again when it changes. */
export function useStore<Value>(store: Store<Value>): Value {
  const [value, show] = useState(store.value)
  useEffect(() => {
    show(store.value)
    return store.subscribe((next) => show(() => next))
  }, [store])
  return value
}
