import { isObject, type JsonObject } from '../../kernel/index.ts'
import { textUpTo } from './cut-text.ts'
import { tokensIn } from './tokens.ts'

/** A place at which a value was cut, and what comes after it there. */
export interface CutPlace {
  readonly path: readonly string[]
  readonly rest: readonly unknown[] | JsonObject | string
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

/** Cuts a value between entries of its lists and between lines of its texts; undefined where that is not enough. */
export function cutTo(room: number, value: unknown, path: readonly string[] = []): Cut | undefined {
  const tokens = weightOf(value)
  if (tokens <= room) return { value, tokens, places: [] }
  if (typeof value === 'string') return cutText(room, value, path)
  if (Array.isArray(value)) return cutList(room, value, path)
  return isObject(value) ? cutObject(room, value, path) : undefined
}

export function weightOf(value: unknown): number {
  return tokensIn(JSON.stringify(value) ?? '')
}

function cutText(room: number, text: string, path: readonly string[]): Cut | undefined {
  if (room < WORTH_SAYING) return undefined
  // Within JSON a text may be longer, by what is escaped in it.
  for (let aim = room - 2; aim > 0; ) {
    const kept = textUpTo(aim, text)
    const value = text.slice(0, kept)
    const tokens = weightOf(value)
    if (kept === 0) return undefined
    if (tokens <= room)
      return { value, tokens, places: [{ path, rest: text.slice(kept), kept, all: text.length }] }
    aim *= (0.97 * room) / tokens
  }
  return undefined
}

/** As many entries as there is room for; of a first one that is too long alone, a part. */
function cutList(room: number, list: readonly unknown[], path: readonly string[]): Cut | undefined {
  let tokens = 2
  let kept = 0
  for (; kept < list.length; kept++) {
    const next = weightOf(list[kept]) + 1
    if (tokens + next > room) break
    tokens += next
  }
  const all = list.length
  if (kept > 0)
    return { value: list.slice(0, kept), tokens, places: placed({ path, rest: list.slice(kept), kept, all }) }
  const first = cutTo(room - 3, list[0], [...path, '0'])
  if (first === undefined)
    return room < 2 ? undefined : { value: [], tokens: 2, places: placed({ path, rest: list, kept, all }) }
  const places = [...first.places, ...placed({ path, rest: list.slice(1), kept: 1, all })]
  return { value: [first.value], tokens: first.tokens + 3, places }
}

/** Members of one kind, of which there are many, are cut like a list; else each has its share, and the small ones all they need. */
function cutObject(room: number, object: JsonObject, path: readonly string[]): Cut | undefined {
  const members = Object.entries(object).map(([name, value]) => ({ name, value, tokens: weightOf(value) }))
  if (members.length >= MANY) return cutMembers(room, members, path)
  let left = room - 2 - members.reduce((sum, { name }) => sum + tokensIn(JSON.stringify(name)) + 2, 0)
  const made = new Map<string, Cut>()
  const waiting = [...members].sort((one, other) => one.tokens - other.tokens)
  for (const [at, { name, value }] of waiting.entries()) {
    const one = cutTo(left / (waiting.length - at), value, [...path, name])
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

interface Member {
  readonly name: string
  readonly value: unknown
  readonly tokens: number
}

function cutMembers(room: number, members: readonly Member[], path: readonly string[]): Cut | undefined {
  let tokens = 2
  let kept = 0
  for (const { name, tokens: own } of members) {
    const next = own + tokensIn(JSON.stringify(name)) + 2
    if (tokens + next > room) break
    tokens += next
    kept++
  }
  const pick = (some: readonly Member[]) => Object.fromEntries(some.map(({ name, value }) => [name, value]))
  const place = { path, rest: pick(members.slice(kept)), kept, all: members.length }
  return { value: pick(members.slice(0, kept)), tokens, places: [place] }
}

/** Nothing is cut where nothing is left out. */
function placed(place: CutPlace): readonly CutPlace[] {
  return place.kept === place.all ? [] : [place]
}
