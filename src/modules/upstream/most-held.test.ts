import { expect, it } from 'vitest'
import { mostHeld } from './most-held.ts'

it.each([
  [['bob', 'bob', 'ann'], 'ann', ['ann', 'bob']],
  [['bob', 'bob', 'bob', 'ann'], 'ann', ['bob']],
  [['bob', 'ann'], 'bob', ['bob']],
  [['bob', 'ann'], 'eve', ['eve', 'bob', 'ann']],
])('of %j and one more of %s, the most is held by %j', (owners, newcomer, most) => {
  expect([...mostHeld(owners, newcomer)]).toEqual(most)
})
