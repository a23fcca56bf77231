import { cut, isObject, type JsonObject, suggest } from '../../kernel/index.ts'
import { type Glob, toGlob } from './glob.ts'
import type { UpstreamOptions } from './options.ts'

/** What is told of a name, which an upstream may have made as long as it likes. */
const LONGEST_NAME = 128

/** Something that an upstream lists, and how it is listed here. */
export interface ShownOffer {
  /** As the upstream lists it. */
  readonly own: JsonObject
  readonly listed: JsonObject
  /** Why it is not offered, where it is not. */
  readonly withheld?: string
}

export interface ChosenOffer {
  readonly tools: readonly ShownOffer[]
  /** What is listed twice, and what was said of tools that there are not. */
  readonly problems: readonly string[]
}

/** The tools of an upstream that are wanted, under the names and with the words that they are to have here. */
export function chooseTools(listed: readonly JsonObject[], options: UpstreamOptions): ChosenOffer {
  const tools = eachOnce(listed)
  const globs = options.tools?.map(toGlob)
  const wanted = globs === undefined ? tools : tools.filter((tool) => isChosen(nameOf(tool), globs))
  return {
    tools: wanted.map((own) => ({ own, listed: reworded(own, options) })),
    problems: [...repeated(listed), ...unmatched(globs ?? [], tools), ...unknownTools(tools, options)],
  }
}

/** What an upstream lists more than once is there once: that is its mistake, and no reason to keep others from being served. */
export function eachOnce(listed: readonly JsonObject[]): readonly JsonObject[] {
  const names = new Set<string>()
  return listed.filter((one) => names.size < names.add(nameOf(one)).size)
}

function repeated(listed: readonly JsonObject[]): readonly string[] {
  const first = new Set(eachOnce(listed))
  const names = new Set(listed.filter((tool) => !first.has(tool)).map(nameOf))
  return [...names].map(
    (name) => `the tool ${cut(name, LONGEST_NAME)} is listed more than once: all but the first are left out`,
  )
}

/** One that is in a pattern, or in whatever there is where all begin with `!`, and in none of those; of an empty list none is. */
function isChosen(name: string, globs: readonly Glob[]): boolean {
  const against = globs.filter(({ isAgainst }) => isAgainst)
  if (against.some(({ matches }) => matches(name))) return false
  const isOnlyAgainst = globs.length > 0 && against.length === globs.length
  return isOnlyAgainst || globs.some(({ isAgainst, matches }) => !isAgainst && matches(name))
}

function reworded(own: JsonObject, { rename, descriptions, annotations }: UpstreamOptions): JsonObject {
  const name = nameOf(own)
  const description = find(descriptions, name)
  const given = find(annotations, name)
  const known = own['annotations']
  return {
    ...own,
    name: find(rename, name) ?? name,
    ...(description !== undefined && { description }),
    ...(given !== undefined && { annotations: { ...(isObject(known) && known), ...given } }),
  }
}

function find<Value>(table: { readonly [name: string]: Value } = {}, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

function unmatched(globs: readonly Glob[], tools: readonly JsonObject[]): readonly string[] {
  const names = tools.map(nameOf)
  return globs
    .filter(({ matches }) => !names.some(matches))
    .map(({ pattern }) => `tools: ${pattern} matches none of its tools. ${meant(bare(pattern), names)}`)
}

function unknownTools(tools: readonly JsonObject[], options: UpstreamOptions): readonly string[] {
  const names = tools.map(nameOf)
  return (['rename', 'descriptions', 'annotations'] as const).flatMap((key) =>
    Object.keys(options[key] ?? {})
      .filter((name) => !names.includes(name))
      .map((name) => `${key}: it has no tool ${name}. ${meant(name, names)}`),
  )
}

function meant(name: string, names: readonly string[]): string {
  if (names.length === 0) return 'It has none'
  const nearest = suggest(name, names)
  return names.includes(nearest) ? `Did you mean ${nearest}?` : nearest
}

function bare(pattern: string): string {
  return pattern.replace(/^!/, '')
}

function nameOf({ name }: JsonObject): string {
  return String(name)
}
