import type { Middleware } from '../definitions/authors.ts'
import type { Offer } from './shelf.ts'

/** The module that something on a list belongs to, as far as it makes a difference. */
export interface Origin {
  /** Stands before the names of its tools and prompts. */
  readonly prefix: string
  /** Wraps the calls of what it offers, once they have been found and the caller may make them. */
  readonly around: Middleware | undefined
  /** What its things are about, in words by which they may be searched for. */
  readonly about: string | undefined
}

/** The same as a thing of its module. */
export function from<Item extends Offer>(item: Item, origin: Origin | undefined): Item {
  return origin === undefined ? item : { ...item, origin }
}

/** The same for things that have names, to which URIs do not count. */
export function namedFrom<Item extends Offer>(item: Item, origin: Origin | undefined): Item {
  if (origin === undefined || origin.prefix === '') return from(item, origin)
  const under = (name: string) => `${origin.prefix}${name}`
  const key = under(item.key)
  const otherKeys = (item.otherKeys ?? []).map(under)
  return { ...item, origin, key, otherKeys, listed: { ...item.listed, name: key } }
}
