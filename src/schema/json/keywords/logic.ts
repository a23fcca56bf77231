import { describe } from '../../../kernel/index.ts'
import type { Place } from '../place.ts'
import { ANYTHING, expecting, type Rule } from '../rule.ts'
import type { Group } from './index.ts'

/** Schemas put together: all of them, any, exactly one, none, one or the other. */
export const logic: Group = {
  keywords: ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
  compile: (place) => [
    ...(place.rules('allOf') ?? []),
    ...anyOf(place),
    ...oneOf(place),
    ...negation(place),
    ...condition(place),
  ],
}

function anyOf(place: Place): readonly Rule[] {
  const rules = place.rules('anyOf')
  if (rules === undefined) return []
  return [
    {
      check: (value) => rules.some((rule) => rule.check(value)),
      explain: explainAll(rules, 'expected to match a schema in anyOf'),
      mark: markFitting(rules),
    },
  ]
}

function oneOf(place: Place): readonly Rule[] {
  const rules = place.rules('oneOf')
  if (rules === undefined) return []
  return [
    {
      check(value) {
        const first = rules.findIndex((rule) => rule.check(value))
        return first !== -1 && !rules.some((rule, index) => index > first && rule.check(value))
      },
      explain: explainAll(rules, 'expected to match exactly one schema in oneOf'),
      mark: markFitting(rules),
    },
  ]
}

/** What is wrong by each of the schemas, and what they are there for. */
function explainAll(rules: readonly Rule[], expectation: string): Rule['explain'] {
  return (value, path, problems) => {
    for (const { check, explain } of rules) {
      if (!problems.full && !check(value)) explain(value, path, problems)
    }
    problems.add(path, `${expectation}, got ${describe(value)}`)
  }
}

function markFitting(rules: readonly Rule[]): Rule['mark'] {
  return (value, seen) => {
    for (const { check, mark } of rules) if (mark !== undefined && check(value)) mark(value, seen)
  }
}

function negation(place: Place): readonly Rule[] {
  const rule = place.rule('not')
  return rule === undefined ? [] : [expecting('to NOT be valid', (value) => !rule.check(value))]
}

function condition(place: Place): readonly Rule[] {
  const [yes = ANYTHING, no = ANYTHING] = [place.rule('then'), place.rule('else')]
  const test = place.rule('if')
  if (test === undefined) return []
  const next = (value: unknown) => (test.check(value) ? yes : no)
  return [
    {
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
    },
  ]
}
