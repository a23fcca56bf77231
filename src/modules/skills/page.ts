import { Fault } from '../../kernel/index.ts'

export interface PageOptions {
  /** Which list it is; a cursor of one list is none of another. */
  readonly list: string
  readonly cursor: string | undefined
  readonly size: number
}

export interface UriPage<Item> {
  readonly items: readonly Item[]
  readonly next: { readonly nextCursor?: string }
}

/** One page in the order of URIs; since a cursor names the last one seen, it stays good while others come and go. */
export function pageOf<Item extends { readonly uri: string }>(
  all: readonly Item[],
  { list, cursor, size }: PageOptions,
): UriPage<Item> {
  const after = cursor === undefined ? '' : parseCursor(cursor, list)
  const rest = all.filter(({ uri }) => uri > after).sort((a, b) => (a.uri < b.uri ? -1 : 1))
  const items = rest.slice(0, size)
  const last = items.at(-1)
  const isLast = last === undefined || items.length === rest.length
  return { items, next: isLast ? {} : { nextCursor: printCursor(list, last.uri) } }
}

/** Both are ASCII, and neither has a space in it. */
function printCursor(list: string, uri: string): string {
  return btoa(`${list} ${uri}`)
}

function parseCursor(cursor: string, list: string): string {
  const text = decode(cursor)
  if (!text.startsWith(`${list} `)) {
    throw new Fault('invalidParams', 'Invalid params: cursor: expected a nextCursor of this list')
  }
  return text.slice(list.length + 1)
}

function decode(cursor: string): string {
  try {
    return atob(cursor)
  } catch {
    return ''
  }
}
