import { describe } from '../../../kernel/index.ts'
import { spend } from '../effort.ts'
import type { SchemaPlace } from '../place.ts'
import { ANYTHING, counted, every, expecting, type Rule } from '../rule.ts'
import type { Keywords } from './keywords.ts'

/** Schemas put together: all of them, any, exactly one, none, one or the other. */
export const logic: Keywords = {
  allOf(place) {
    const rules = place.rules('allOf')
    return rules === undefined ? undefined : counted(rules.length, every(rules))
  },
  anyOf(place) {
    const rules = place.rules('anyOf')
    if (rules === undefined) return undefined
    return {
      check: (value) => rules.some((rule) => tries(rule, value)),
      explain: explainAll(rules, 'expected to match a schema in anyOf'),
      mark: markFitting(rules),
    }
  },
  oneOf(place) {
    const rules = place.rules('oneOf')
    if (rules === undefined) return undefined
    return {
      check(value) {
        const first = rules.findIndex((rule) => tries(rule, value))
        return first !== -1 && !rules.some((rule, index) => index > first && tries(rule, value))
      },
      explain: explainAll(rules, 'expected to match exactly one schema in oneOf'),
      mark: markFitting(rules),
    }
  },
  not(place) {
    const rule = place.rule('not')
    return rule && expecting('to NOT be valid', (value) => !tries(rule, value))
  },
  if: condition,
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema has a keyword of this name.
  then: condition,
  else: condition,
}

/** One schema beside many others is work of its own, however little there is to the value. */
function tries(rule: Rule, value: unknown): boolean {
  spend(3)
  return rule.check(value)
}

/** What is wrong by each of the schemas, and what they are there for. */
function explainAll(rules: readonly Rule[], expectation: string): Rule['explain'] {
  return (value, path, problems) => {
    for (const rule of rules) {
      if (!problems.full && !rule.check(value)) rule.explain(value, path, problems)
    }
    problems.add(path, `${expectation}, got ${describe(value)}`)
  }
}

function markFitting(rules: readonly Rule[]): Rule['mark'] {
  return (value, seen) => {
    for (const rule of rules) if (rule.mark !== undefined && tries(rule, value)) rule.mark(value, seen)
  }
}

function condition(place: SchemaPlace): Rule | undefined {
  const [yes = ANYTHING, no = ANYTHING] = [place.rule('then'), place.rule('else')]
  const test = place.rule('if')
  if (test === undefined) return undefined
  const next = (value: unknown) => (tries(test, value) ? yes : no)
  return {
    check: (value) => next(value).check(value),
    explain(value, path, problems) {
      const rule = next(value)
      rule.explain(value, path, problems)
      problems.add(
        path,
        `expected to match "${rule === yes ? 'then' : 'else'}" schema, got ${describe(value)}`,
      )
    },
    mark(value, seen) {
      if (test.check(value)) test.mark?.(value, seen)
      next(value).mark?.(value, seen)
    },
  }
}
