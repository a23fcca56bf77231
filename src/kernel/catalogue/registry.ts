import { type Audience, isGranted, ownerOf } from '../callers/audience.ts'
import type { Principal } from '../callers/principal.ts'
import { Fault } from '../faults.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { Revision } from '../revisions/revision.ts'
import { Mistake } from '../words/mistake.ts'
import type { Origin } from './origin.ts'
import { type Fitted, type Offer, Shelf } from './shelf.ts'

export interface RegistryOptions<Definition, Item extends Offer> {
  /** What the things are called in messages: `tool`, `prompt`. */
  readonly noun: string
  readonly pageSize: number
  /** Throws a TypeError when the definition is wrong. */
  prepare(definition: Definition, origin: Origin | undefined): Item
  /** Fits what is listed to a revision. */
  fit(listed: JsonObject, revision: Revision): JsonObject
  /** Told what has come or gone, and whom that concerns. */
  changed(audience: Audience, item: Item): void
}

export interface ListPageOptions<Item> {
  readonly revision: Revision
  readonly cursor: string | undefined
  readonly principal?: Principal | undefined
  /** Which of them are listed, where not all of them are. */
  readonly only?: ((item: Item) => boolean) | undefined
}

export interface ListPage {
  readonly items: readonly JsonObject[]
  readonly nextCursor: string | undefined
}

/**
 * A live list of tools, resources, templates or prompts, in the order in which they were added, or by the place that
 * they were given. What is added for an owner is there for that owner alone; two owners may use one name.
 */
export class Registry<Definition, Item extends Offer> {
  readonly #options: RegistryOptions<Definition, Item>
  readonly #everybodys: Shelf<Item>
  readonly #own = new Map<string, Shelf<Item>>()
  #lastNumber = 0

  constructor(options: RegistryOptions<Definition, Item>) {
    this.#options = options
    this.#everybodys = new Shelf(options.fit)
  }

  get size(): number {
    let size = this.#everybodys.size
    for (const shelf of this.#own.values()) size += shelf.size
    return size
  }

  /** Whether there is anything that not everybody has. */
  get divided(): boolean {
    return this.#own.size > 0
  }

  has(key: string, owner?: string): boolean {
    return this.find(key, owner) !== undefined
  }

  /** Everybody's of that name, or the owner's. */
  find(key: string, owner?: string): Item | undefined {
    return this.#everybodys.find(key) ?? (owner === undefined ? undefined : this.#own.get(owner)?.find(key))
  }

  /** All there is, whoever it belongs to. */
  *[Symbol.iterator](): Iterator<Item> {
    yield* this.#everybodys
    for (const shelf of this.#own.values()) yield* shelf
  }

  /** What there is for an owner, by whatever scopes. */
  *of(owner: string): Iterable<Item> {
    yield* this.#everybodys
    for (const item of this.#own.get(owner) ?? []) if (!this.has(item.key)) yield item
  }

  /** What a caller may see and use. */
  *visible(principal: Principal | undefined): Iterable<Item> {
    for (const item of this.of(ownerOf(principal))) if (isGranted(item.scopes, principal)) yield item
  }

  /** Offers one more, to everybody or to its owner; clients that are concerned are told. */
  add(definition: Definition, owner?: string, origin?: Origin): void {
    const item = this.#options.prepare(definition, origin)
    if (this.has(item.key, owner)) {
      throw new Mistake(`There is a ${this.#options.noun} ${JSON.stringify(item.key)} already`)
    }
    const { place = ++this.#lastNumber } = definition as { readonly place?: number } // Where it is relayed, it may have one.
    this.#open(owner).put(item, place)
    this.#options.changed({ owner, scopes: item.scopes }, item)
  }

  /** Tells whether there was one to remove: of everybody's, or of the owner's. */
  remove(key: string, owner?: string): boolean {
    const shelf = this.#shelfOf(owner)
    const removed = shelf?.take(key)
    if (removed === undefined) return false
    if (owner !== undefined && shelf?.size === 0) this.#own.delete(owner)
    this.#options.changed({ owner, scopes: removed.scopes }, removed)
    return true
  }

  /** One page of the list as a revision sees it; a cursor stays good while things come and go. */
  page({ revision, cursor, principal, only }: ListPageOptions<Item>): ListPage {
    const { pageSize } = this.#options
    const owner = ownerOf(principal)
    const granted = this.#fit(revision, owner).filter(
      ({ scopes }) => scopes.length === 0 || isGranted(scopes, principal),
    )
    const all =
      only === undefined ? granted : granted.filter(({ key }) => only(this.find(key, owner) as Item)) // It was listed just now.
    const start = cursor === undefined ? 0 : this.#after(readCursor(cursor, this.#options.noun), all)
    const page = all.slice(start, start + pageSize)
    const last = page.at(-1)
    return {
      items: page.map((entry) => entry.listed),
      nextCursor: last !== undefined && start + pageSize < all.length ? this.#cursor(last.number) : undefined,
    }
  }

  #shelfOf(owner: string | undefined): Shelf<Item> | undefined {
    return owner === undefined ? this.#everybodys : this.#own.get(owner)
  }

  #open(owner: string | undefined): Shelf<Item> {
    if (owner === undefined) return this.#everybodys
    const found = this.#own.get(owner)
    if (found !== undefined) return found
    const shelf = new Shelf<Item>(this.#options.fit)
    this.#own.set(owner, shelf)
    return shelf
  }

  /** A name that everybody's things have taken since hides the owner's own, as it does in `find`. */
  #fit(revision: Revision, owner: string): readonly Fitted[] {
    const everybodys = this.#everybodys.fit(revision)
    const own = this.#own.get(owner)?.fit(revision)
    if (own === undefined) return everybodys
    return [...everybodys, ...own.filter(({ key }) => !this.has(key))].sort((a, b) => a.number - b.number)
  }

  #after(number: number, all: readonly { number: number }[]): number {
    const start = all.findIndex((entry) => entry.number > number)
    return start < 0 ? all.length : start
  }

  /** Opaque to clients; the noun keeps a cursor of one list out of another. */
  #cursor(number: number): string {
    return btoa(`${this.#options.noun}:${number}`)
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
