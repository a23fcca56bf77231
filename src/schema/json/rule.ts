import { describe } from '../../kernel/index.ts'
import type { Problems } from '../problems.ts'
import { spend } from './effort.ts'

export type ValueCheck = (value: unknown) => boolean

/** A schema, or one of its keywords, ready for use. */
export interface Rule {
  /** Whether a value fits. */
  readonly check: ValueCheck
  /** Says what is wrong with a value that does not fit; asked for only then, so that it knows what it is given. */
  explain(value: unknown, path: string, problems: Problems): void
  /** Notes which members of a fitting value it has looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
  readonly mark?: ((value: unknown, seen: Seen) => void) | undefined
}

/** The members of one value that some keyword has looked at. */
export class Seen {
  everyProperty = false
  readonly properties = new Set<string>()
  /** Whatever is called like one of these. */
  readonly named: ReadonlyMap<string, unknown>[] = []
  /** Every item below this index. */
  itemsBelow = 0
  readonly items = new Set<number>()
}

/** A rule that has one thing to say: what was expected. */
export function expecting(expectation: string | (() => string), check: ValueCheck): Rule {
  return new Expectation(expectation, check)
}

/** Most rules are of this kind, so they have their words in common. */
class Expectation implements Rule {
  readonly check: ValueCheck
  readonly #expectation: string | (() => string)

  constructor(expectation: string | (() => string), check: ValueCheck) {
    this.check = check
    this.#expectation = expectation
  }

  explain(value: unknown, path: string, problems: Problems): void {
    const expected = typeof this.#expectation === 'string' ? this.#expectation : this.#expectation()
    problems.add(path, `expected ${expected}, got ${describe(value)}`)
  }
}

export const ANYTHING: Rule = { check: () => true, explain: () => {} }

export const NOTHING: Rule = expecting('nothing', () => false)

/** Fits what fits every one of some rules. */
export function every(rules: readonly Rule[]): Rule {
  const [first] = rules
  if (first === undefined) return ANYTHING
  if (rules.length === 1) return first
  return {
    check: everyCheck(rules.map(({ check }) => check)),
    explain(value, path, problems) {
      for (const rule of rules) {
        if (!problems.full && !rule.check(value)) rule.explain(value, path, problems)
      }
    },
    mark: rules.some(({ mark }) => mark !== undefined) ? markAll(rules) : undefined,
  }
}

/** A rule that stands for many. */
export function counted(steps: number, rule: Rule): Rule {
  const { check, mark } = rule
  return {
    check(value) {
      spend(steps)
      return check(value)
    },
    explain: (value, path, problems) => rule.explain(value, path, problems),
    mark:
      mark &&
      ((value, seen) => {
        spend(steps)
        mark(value, seen)
      }),
  }
}

function markAll(rules: readonly Rule[]): Rule['mark'] {
  return (value, seen) => {
    for (const { mark } of rules) mark?.(value, seen)
  }
}

/** A loop costs more than the two or three calls that most schemas need. */
function everyCheck(checks: readonly ValueCheck[]): ValueCheck {
  const [a, b, c] = checks
  if (a === undefined || b === undefined) return a ?? ANYTHING.check
  if (c === undefined) return (value) => a(value) && b(value)
  if (checks.length === 3) return (value) => a(value) && b(value) && c(value)
  return (value) => {
    for (const check of checks) if (!check(value)) return false
    return true
  }
}
