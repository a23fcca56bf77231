import { expect, it } from 'vitest'
import { MAX_STEPS, type Pattern, search } from './uri-match.ts'

/** So many patterns after each other, each of which takes a step. */
function chain(length: number): Pattern {
  let pattern: Pattern = { kind: 'end', number: 0 }
  for (let number = 1; number < length; number++) pattern = { kind: 'text', number, text: '', next: pattern }
  return pattern
}

it('takes as many steps as it may, and finds nothing where it would take more', () => {
  expect(search(chain(MAX_STEPS), MAX_STEPS, '')).toEqual({ values: 'none', steps: MAX_STEPS })
  expect(search(chain(MAX_STEPS + 1), MAX_STEPS + 1, '').values).toBe(undefined)
})
