import { type Check, type JsonObject, suggest } from '../../kernel/index.ts'
import { UsageError } from '../usage-error.ts'

/** The keys that an object of a file may have. */
export interface EntryKeys {
  readonly known: ReadonlySet<string>
  /** Those that somebody is told of who has written another. */
  readonly expected: readonly string[]
  readonly checked?: { readonly [name: string]: Check }
}

/** Under the names that we have for its keys: hosts write them in snake_case and kebab-case as well. */
export function spelled(
  entry: JsonObject,
  where: string,
  { known, expected, checked = {} }: EntryKeys,
): JsonObject {
  const written = new Map<string, string>()
  for (const key of Object.keys(entry)) {
    const name = toCamel(key)
    if (!known.has(name) && !REMARK.test(key)) throw unknownKey(key, where, { known, expected })
    const other = written.get(name)
    if (other !== undefined)
      throw new UsageError(`${where}: ${other} and ${key} are one key. Keep one of them`)
    checked[name]?.(entry[key], `${where}: ${key}`)
    written.set(name, key)
  }
  return Object.fromEntries([...written].map(([name, key]) => [name, entry[key]]))
}

/** A name that begins with one of these is a remark. */
const REMARK = /^(?:[_$]|x-|\/\/)/

export function toCamel(name: string): string {
  return name.replaceAll(/[_-](\w)/g, (_whole, letter: string) => letter.toUpperCase())
}

function unknownKey(name: string, where: string, { known, expected }: EntryKeys): UsageError {
  const nearest = suggest(name, [...known])
  const help = known.has(nearest) ? `Did you mean ${nearest}?` : `Expected: ${expected.join(', ')}`
  return new UsageError(`${where}: there is no key ${name}. ${help}`)
}
