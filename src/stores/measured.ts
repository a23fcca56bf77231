import type { Json, KernelEvent, KernelObserver, Store, StoreOperation } from '../kernel/index.ts'

/** What a store is asked for. */
export const OPERATIONS = [
  'get',
  'put',
  'touch',
  'delete',
  'append',
  'read',
  'publish',
  'subscribe',
  'take',
  'enter',
  'leave',
] as const satisfies readonly StoreOperation[]

/** The same store, with somebody told of everything it does. */
export function measured(store: Store, observe: KernelObserver): Store {
  const operations = Object.fromEntries(
    OPERATIONS.map((name) => [name, timed(store, name, observe)]),
  ) as Pick<Store, StoreOperation> // One entry for each name.
  return {
    shared: true,
    ...(store.place !== undefined && { place: store.place }),
    ...operations,
    subscribe: (topic, listener, missed) =>
      operations.subscribe(topic, guarded(listener, topic, observe), missed),
    trouble: () => store.trouble(),
    close: () => store.close(),
  }
}

/** Whoever may use an engine may say anything to those who listen, which must not end more than the hearing of it. */
function guarded(listener: (message: Json) => void, topic: string, observe: KernelObserver) {
  return (message: Json) => {
    try {
      listener(message)
    } catch (error) {
      observe({ kind: 'crashed', error, method: `hearing ${topic}` })
    }
  }
}

/** Whoever asked gets the very promise that the store gave. */
function timed(store: Store, operation: StoreOperation, observe: KernelObserver) {
  const run = store[operation].bind(store) as (...args: unknown[]) => Promise<unknown> // Any of them.
  const about = { kind: 'stored', operation, store: store.place } as const
  return (...args: unknown[]) => {
    const begun = performance.now()
    const done = run(...args)
    const tell = (ending: Pick<Extract<KernelEvent, { kind: 'stored' }>, 'error'>) =>
      observe({ ...about, durationMs: performance.now() - begun, ...ending })
    done.then(
      () => tell({}),
      (error: unknown) => tell({ error }),
    )
    return done
  }
}
