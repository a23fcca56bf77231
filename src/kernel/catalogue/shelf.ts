import type { Offered } from '../definitions/authors.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { Revision } from '../revisions/revision.ts'
import type { Origin } from './origin.ts'

/** Something a server offers, ready to be listed and used. */
export interface Offer extends Offered {
  /** Keys that find it as well. */
  readonly otherKeys?: readonly string[] | undefined
  /** The module it belongs to, where that makes a difference. */
  readonly origin?: Origin
}

/** An entry as a revision lists it. */
export interface Fitted {
  readonly key: string
  /** Counted through all shelves of a list, so that what stands on two of them has one order. */
  readonly number: number
  readonly scopes: readonly string[]
  readonly listed: JsonObject
}

interface Numbered<Item> {
  readonly item: Item
  readonly number: number
}

/** Things that belong together to everybody, or to one caller, in the order in which they were added. */
export class Shelf<Item extends Offer> {
  readonly #items = new Map<string, Numbered<Item>>()
  readonly #others = new Map<string, Item>()
  readonly #fitted = new Map<Revision, readonly Fitted[]>()
  readonly #fit: (listed: JsonObject, revision: Revision) => JsonObject

  constructor(fit: (listed: JsonObject, revision: Revision) => JsonObject) {
    this.#fit = fit
  }

  get size(): number {
    return this.#items.size
  }

  find(key: string): Item | undefined {
    return this.#items.get(key)?.item ?? this.#others.get(key)
  }

  *[Symbol.iterator](): Iterator<Item> {
    for (const { item } of this.#items.values()) yield item
  }

  put(item: Item, number: number): void {
    this.#items.set(item.key, { item, number })
    for (const other of item.otherKeys ?? []) this.#others.set(other, item)
    this.#fitted.clear()
  }

  /** What was there. */
  take(key: string): Item | undefined {
    const item = this.#items.get(key)?.item
    this.#items.delete(key)
    for (const other of item?.otherKeys ?? []) this.#others.delete(other)
    this.#fitted.clear()
    return item
  }

  /** All of it as a revision lists it; made anew only after a change. */
  fit(revision: Revision): readonly Fitted[] {
    let fitted = this.#fitted.get(revision)
    if (fitted === undefined) {
      const numbered = [...this.#items.values()].sort((a, b) => a.number - b.number)
      fitted = numbered.map(({ item, number }) => ({
        key: item.key,
        number,
        scopes: item.scopes,
        listed: this.#fit(item.listed, revision),
      }))
      this.#fitted.set(revision, fitted)
    }
    return fitted
  }
}
