import { Fault } from './faults.ts'
import type { JsonObject } from './jsonrpc/message.ts'
import type { Principal } from './link.ts'
import type { Revision } from './revisions/revision.ts'
import { isGranted } from './scopes.ts'

/** Something a server offers, ready to be listed and used. */
export interface Offer {
  readonly key: string
  /** As the newest revision lists it. */
  readonly listed: JsonObject
  /** What a caller must have been granted to see and use it. */
  readonly scopes: readonly string[]
}

export interface RegistryOptions<Definition, Item extends Offer> {
  /** What the things are called in messages: `tool`, `prompt`. */
  readonly noun: string
  readonly pageSize: number
  /** Throws a TypeError when the definition is wrong. */
  prepare(definition: Definition): Item
  /** Fits what is listed to a revision. */
  fit(listed: JsonObject, revision: Revision): JsonObject
  changed(): void
}

export interface PageOptions {
  readonly revision: Revision
  readonly cursor: string | undefined
  readonly principal?: Principal | undefined
  /** Leaves out what the caller does not want to see. */
  readonly keeps?: ((listed: JsonObject) => boolean) | undefined
}

export interface Page {
  readonly items: readonly JsonObject[]
  readonly nextCursor: string | undefined
}

interface Fitted {
  readonly number: number
  readonly scopes: readonly string[]
  readonly whole: JsonObject
  readonly listed: JsonObject
}

interface Numbered<Item> {
  readonly item: Item
  readonly number: number
}

/** A live list of tools, resources, templates or prompts, in the order in which they were added. */
export class Registry<Definition, Item extends Offer> {
  readonly #options: RegistryOptions<Definition, Item>
  readonly #items = new Map<string, Numbered<Item>>()
  readonly #fitted = new Map<Revision, readonly Fitted[]>()
  #lastNumber = 0

  constructor(options: RegistryOptions<Definition, Item>) {
    this.#options = options
  }

  get size(): number {
    return this.#items.size
  }

  has(key: string): boolean {
    return this.#items.has(key)
  }

  find(key: string): Item | undefined {
    return this.#items.get(key)?.item
  }

  *[Symbol.iterator](): Iterator<Item> {
    for (const { item } of this.#items.values()) yield item
  }

  /** Offers one more; clients that care are told. */
  add(definition: Definition): void {
    const item = this.#options.prepare(definition)
    if (this.#items.has(item.key)) {
      throw new TypeError(`There is a ${this.#options.noun} ${JSON.stringify(item.key)} already`)
    }
    this.#items.set(item.key, { item, number: ++this.#lastNumber })
    this.#change()
  }

  /** Tells whether there was one to remove. */
  remove(key: string): boolean {
    const removed = this.#items.delete(key)
    if (removed) this.#change()
    return removed
  }

  /** One page of the list as a revision sees it; a cursor stays good while things come and go. */
  page({ revision, cursor, principal, keeps = () => true }: PageOptions): Page {
    const { pageSize } = this.#options
    const all = this.#fit(revision).filter(
      ({ scopes, whole }) => (scopes.length === 0 || isGranted(scopes, principal)) && keeps(whole),
    )
    const start = cursor === undefined ? 0 : this.#after(readCursor(cursor, this.#options.noun), all)
    const page = all.slice(start, start + pageSize)
    const last = page.at(-1)
    return {
      items: page.map((entry) => entry.listed),
      nextCursor: last !== undefined && start + pageSize < all.length ? this.#cursor(last.number) : undefined,
    }
  }

  #after(number: number, all: readonly { number: number }[]): number {
    const start = all.findIndex((entry) => entry.number > number)
    return start < 0 ? all.length : start
  }

  /** Opaque to clients; the noun keeps a cursor of one list out of another. */
  #cursor(number: number): string {
    return btoa(`${this.#options.noun}:${number}`)
  }

  #fit(revision: Revision) {
    let fitted = this.#fitted.get(revision)
    if (fitted === undefined) {
      fitted = [...this.#items.values()].map(({ item, number }) => ({
        number,
        scopes: item.scopes,
        whole: item.listed,
        listed: this.#options.fit(item.listed, revision),
      }))
      this.#fitted.set(revision, fitted)
    }
    return fitted
  }

  #change(): void {
    this.#fitted.clear()
    this.#options.changed()
  }
}

function readCursor(cursor: string, noun: string): number {
  const [, found] = new RegExp(`^${noun}:([0-9]{1,15})$`).exec(decode(cursor)) ?? []
  if (found === undefined) {
    throw new Fault('invalidParams', 'Invalid params: cursor: expected a nextCursor of this list')
  }
  return Number(found)
}

function decode(cursor: string): string {
  try {
    return atob(cursor)
  } catch {
    return ''
  }
}
