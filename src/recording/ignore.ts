import { isObject } from '../kernel/index.ts'

/** What differs each time by its nature. */
export const ALWAYS_IGNORED = ['createdAt', 'lastUpdatedAt', 'timestamp']

type IgnoredPath = readonly string[]

/** A rule is a name (`createdAt`), wherever it stands, or a path from a message's root (`result.content.*.text`). */
export function parseRules(rules: readonly string[]): readonly IgnoredPath[] {
  return rules.map((rule) => rule.split('.'))
}

/** A message without what is not to be compared. */
export function leaveOut(value: unknown, rules: readonly IgnoredPath[], path: IgnoredPath = []): unknown {
  if (Array.isArray(value)) return value.map((one, at) => leaveOut(one, rules, [...path, String(at)]))
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([name]) => !rules.some((rule) => fits(rule, [...path, name])))
  return Object.fromEntries(kept.map(([name, member]) => [name, leaveOut(member, rules, [...path, name])]))
}

function fits(rule: IgnoredPath, path: IgnoredPath): boolean {
  if (rule.length === 1) return rule[0] === path.at(-1)
  return rule.length === path.length && rule.every((step, at) => step === '*' || step === path[at])
}
