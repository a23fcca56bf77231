import { checkUpstream, type NamedUpstreams, type UpstreamOptions } from './options.ts'

/** Longer names are cut or refused by hosts, which put a name of their own before them. */
export const LONGEST_NAME = 60

/** An upstream as somebody has configured it. */
export interface ConfiguredUpstream {
  readonly name: string
  readonly options: UpstreamOptions
}

/** The lists on which names have prefixes. */
export type NamedList = 'tools' | 'prompts'

/** What an upstream calls something, and what it is to be called here. */
export interface WantedName {
  readonly own: string
  readonly key: string
}

/** Names that cannot all be. */
export class NameClash extends TypeError {}

/** What stands before the names of its tools and prompts. */
export function prefixOf({ name, options }: ConfiguredUpstream, isAlone: boolean): string {
  return options.prefix ?? (isAlone ? '' : `${name}_`)
}

/** Whether hosts would cut or refuse a name; those of one server alone that are as it has them are left alone. */
export function isTooLong(key: string, prefix: string, isAlone: boolean): boolean {
  return key.length > LONGEST_NAME && !(isAlone && prefix === '')
}

/** Throws where one of them is not as it has to be, or where they cannot all be beside others; gives them. */
export function checkUpstreams(
  all: NamedUpstreams,
  others: readonly ConfiguredUpstream[] = [],
): NamedUpstreams {
  const named = Object.entries(all).map(([name, options]) => ({ name, options }))
  for (const { name, options } of named) checkUpstream(name, options)
  checkNames([...others, ...named])
  return all
}

/** Throws where the names that somebody has written cannot all be: what upstreams themselves say is no reason not to start. */
export function checkNames(all: readonly ConfiguredUpstream[]): void {
  const given = new Map<string, string>()
  for (const one of all) {
    const prefix = prefixOf(one, all.length === 1)
    if (prefix.length >= LONGEST_NAME) throw tooLong(one.name, prefix, 'prefix')
    for (const renamed of Object.values(one.options.rename ?? {})) {
      const key = `${prefix}${renamed}`
      if (isTooLong(key, prefix, all.length === 1)) throw tooLong(one.name, key, 'rename')
      const other = given.get(key)
      if (other !== undefined)
        throw new NameClash(
          `${one.name}: rename: ${key} is the name of a tool of ${other} already. Give one another`,
        )
      given.set(key, one.name)
    }
  }
}

function tooLong(name: string, text: string, key: 'prefix' | 'rename'): NameClash {
  return new NameClash(`${name}: ${key}: ${text} is too long: names may have ${LONGEST_NAME} characters`)
}

/** What an upstream has to say for a name that another one wants as well. */
export interface NameClaim {
  /** Whether somebody has given it this name. */
  readonly isGiven: boolean
  /** Since when it has been approved, where it is pinned. */
  readonly since: string | undefined
}

/** Why one of two has the better claim; undefined where it has not, and whoever stands first in the configuration is served. */
export function outranks(one: NameClaim, other: NameClaim): string | undefined {
  if (one.isGiven !== other.isGiven) return one.isGiven ? 'was given this name' : undefined
  const isOlder = one.since !== undefined && other.since !== undefined && one.since < other.since
  return isOlder ? 'has had this name for longer' : undefined
}
