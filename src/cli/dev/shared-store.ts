import type { Json, Store, StoreOperation } from '../../kernel/index.ts'
import type { FromChild, ToChild } from './messages.ts'

type StoreQuestion = Extract<FromChild, { perigee: 'ask-store' }>
type StoreAnswer = Extract<ToChild, { perigee: 'stored' | 'published' }>

interface AwaitedAnswer {
  resolve(value: never): void
  reject(error: Error): void
}

/** A store that is kept by the process that has started this one, so that it outlives it. */
export class ParentsStore implements Store {
  readonly shared = true
  readonly place = 'perigee dev'
  readonly #tell: (message: StoreQuestion) => void
  readonly #waiting = new Map<number, AwaitedAnswer>()
  readonly #listeners = new Map<number, (message: Json) => void>()
  #last = 0

  constructor(tell: (message: StoreQuestion) => void) {
    this.#tell = tell
  }

  readonly get: Store['get'] = (...args) => this.#ask('get', args)
  readonly put: Store['put'] = (...args) => this.#ask('put', args)
  readonly touch: Store['touch'] = (...args) => this.#ask('touch', args)
  readonly delete: Store['delete'] = (...args) => this.#ask('delete', args)
  readonly append: Store['append'] = (...args) => this.#ask('append', args)
  readonly read: Store['read'] = (...args) => this.#ask('read', args)
  readonly publish: Store['publish'] = (...args) => this.#ask('publish', args)
  readonly take: Store['take'] = (...args) => this.#ask('take', args)
  readonly enter: Store['enter'] = (...args) => this.#ask('enter', args)
  readonly leave: Store['leave'] = (...args) => this.#ask('leave', args)

  async subscribe(topic: string, listener: (message: Json) => void): Promise<() => Promise<void>> {
    const subscription = ++this.#last
    this.#listeners.set(subscription, listener)
    await this.#ask('subscribe', [topic, subscription])
    return async () => {
      this.#listeners.delete(subscription)
      await this.#ask('unsubscribe', [subscription])
    }
  }

  trouble(): undefined {
    return undefined
  }

  /** It is not ours to close. */
  async close(): Promise<void> {}

  /** What the parent says of it. */
  hear(message: StoreAnswer): void {
    if (message.perigee === 'published') return this.#listeners.get(message.subscription)?.(message.message)
    const waiting = this.#waiting.get(message.number)
    this.#waiting.delete(message.number)
    if (message.error === undefined)
      waiting?.resolve(message.value as never) // What that operation gives.
    else waiting?.reject(new Error(message.error))
  }

  #ask<Value>(operation: StoreQuestion['operation'], args: readonly unknown[]): Promise<Value> {
    const number = ++this.#last
    return new Promise<Value>((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject })
      this.#tell({ perigee: 'ask-store', number, operation, args: given(args) })
    })
  }
}

/** What is left out at the end would arrive as null. */
function given(args: readonly unknown[]): readonly Json[] {
  const last = args.findLastIndex((one) => one !== undefined)
  return args.slice(0, last + 1) as readonly Json[] // Plain values, all of them.
}

/** One child's way to the store: does what it asks, and forgets its subscriptions when it is gone. */
export class StoreDesk {
  readonly #store: Store
  readonly #tell: (message: StoreAnswer) => void
  readonly #leaves = new Map<number, () => Promise<void>>()

  constructor(store: Store, tell: (message: StoreAnswer) => void) {
    this.#store = store
    this.#tell = tell
  }

  async answer({ number, operation, args }: StoreQuestion): Promise<void> {
    try {
      this.#tell({ perigee: 'stored', number, value: await this.#do(operation, args) })
    } catch (error) {
      this.#tell({ perigee: 'stored', number, error: (error as Error).message })
    }
  }

  close(): void {
    for (const leave of this.#leaves.values()) void leave()
    this.#leaves.clear()
  }

  async #do(operation: StoreQuestion['operation'], args: readonly Json[]): Promise<unknown> {
    if (operation === 'subscribe') return this.#subscribe(String(args[0]), Number(args[1]))
    if (operation === 'unsubscribe') return this.#unsubscribe(Number(args[0]))
    const run = this.#store[operation satisfies StoreOperation] as (
      ...given: readonly Json[]
    ) => Promise<unknown> // Any of them.
    return run.apply(this.#store, [...args])
  }

  async #subscribe(topic: string, subscription: number): Promise<void> {
    const hear = (message: Json) => this.#tell({ perigee: 'published', subscription, message })
    this.#leaves.set(subscription, await this.#store.subscribe(topic, hear))
  }

  async #unsubscribe(subscription: number): Promise<void> {
    await this.#leaves.get(subscription)?.()
    this.#leaves.delete(subscription)
  }
}
