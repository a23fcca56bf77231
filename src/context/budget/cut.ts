import { isObject, type JsonObject } from '../../kernel/index.ts'
import { textUpTo } from './cut-text.ts'
import type { Weights } from './weights.ts'

/** A place at which a value was cut, and what comes after it there. */
export interface CutPlace {
  readonly path: readonly string[]
  readonly unit: 'entries' | 'members' | 'characters'
  /** Made where it is wanted: most cuts are tried, and not taken. */
  readonly rest: () => string | readonly unknown[] | readonly (readonly [string, unknown])[]
  /** How much is kept of it, and how much there was: entries, members or characters. */
  readonly kept: number
  readonly all: number
}

/** What is left of a value. */
export interface Cut {
  readonly value: unknown
  readonly tokens: number
  readonly places: readonly CutPlace[]
}

/** An object with so many members is a list that has names. */
const MANY = 64

/** A text that is to be shorter than this says nothing any more. */
const WORTH_SAYING = 24

/** Where a value stands in what is cut, and what knows the weights of that. */
export interface CutSpot {
  readonly path: readonly string[]
  readonly weights: Weights
}

/** Cuts a value between entries of its lists and between lines of its texts; undefined where that is not enough. */
export function cutTo(room: number, value: unknown, spot: CutSpot): Cut | undefined {
  const tokens = spot.weights.of(value)
  if (tokens <= room) return { value, tokens, places: [] }
  if (typeof value === 'string') return cutText(room, value, spot)
  if (Array.isArray(value)) return cutList(room, value, spot)
  return isObject(value) ? cutObject(room, value, spot) : undefined
}

function cutText(room: number, text: string, { path, weights }: CutSpot): Cut | undefined {
  if (room < WORTH_SAYING) return undefined
  // Within JSON a text may be longer, by what is escaped in it.
  for (let aim = room - 2; aim > 0; ) {
    const kept = textUpTo(aim, text)
    const value = text.slice(0, kept)
    const tokens = weights.of(value)
    if (kept === 0) return undefined
    if (tokens <= room)
      return {
        value,
        tokens,
        places: [{ path, unit: 'characters', rest: () => text.slice(kept), kept, all: text.length }],
      }
    aim *= (0.97 * room) / tokens
  }
  return undefined
}

/** As many entries as there is room for; of a first one that is too long alone, a part. */
function cutList(room: number, list: readonly unknown[], spot: CutSpot): Cut | undefined {
  const { path, weights } = spot
  let tokens = 2
  let kept = 0
  for (; kept < list.length; kept++) {
    const next = weights.of(list[kept]) + 1
    if (tokens + next > room) break
    tokens += next
  }
  const placed = (count: number): readonly CutPlace[] => {
    const place = { path, unit: 'entries' as const, kept: count, all: list.length }
    // Nothing is cut where nothing is left out.
    return count === list.length ? [] : [{ ...place, rest: () => list.slice(count) }]
  }
  if (kept > 0) return { value: list.slice(0, kept), tokens, places: placed(kept) }
  const first = cutTo(room - 3, list[0], { path: [...path, '0'], weights })
  if (first === undefined) return room < 2 ? undefined : { value: [], tokens: 2, places: placed(0) }
  return { value: [first.value], tokens: first.tokens + 3, places: [...first.places, ...placed(1)] }
}

/** Members of one kind, of which there are many, are cut like a list; else each has its share, and the small ones all they need. */
function cutObject(room: number, object: JsonObject, spot: CutSpot): Cut | undefined {
  const { path, weights } = spot
  const names = Object.keys(object)
  if (names.length >= MANY) return cutMembers(room, { object, names }, spot)
  const members = names.map((name) => ({ name, value: object[name], tokens: weights.of(object[name]) }))
  let left = room - 2 - members.reduce((sum, { name }) => sum + weights.of(name) + 2, 0)
  const made = new Map<string, Cut>()
  const waiting = [...members].sort((one, other) => one.tokens - other.tokens)
  for (const [at, { name, value }] of waiting.entries()) {
    const one = cutTo(left / (waiting.length - at), value, { path: [...path, name], weights })
    if (one === undefined) return undefined
    left -= one.tokens
    made.set(name, one)
  }
  return {
    value: Object.fromEntries(members.map(({ name }) => [name, made.get(name)?.value])),
    tokens: room - left,
    places: members.flatMap(({ name }) => made.get(name)?.places ?? []),
  }
}

interface NamedMembers {
  readonly object: JsonObject
  readonly names: readonly string[]
}

function cutMembers(room: number, { object, names }: NamedMembers, spot: CutSpot): Cut | undefined {
  const { path, weights } = spot
  let tokens = 2
  let kept = 0
  for (const name of names) {
    const next = weights.of(object[name]) + weights.of(name) + 2
    if (tokens + next > room) break
    tokens += next
    kept++
  }
  const pick = (some: readonly string[]) => some.map((name) => [name, object[name]] as const)
  const place = { path, unit: 'members' as const, kept, all: names.length }
  return {
    value: Object.fromEntries(pick(names.slice(0, kept))),
    tokens,
    places: [{ ...place, rest: () => pick(names.slice(kept)) }],
  }
}
