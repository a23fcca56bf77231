import { expect, it } from 'vitest'
import type { Audience } from '../callers/audience.ts'
import { concerns } from './broadcast.ts'

const ANN: Audience = { owner: 'ann', scopes: [] }
const ALL: Audience = { owner: undefined, scopes: [] }

it('a client sees that a list has changed where it is one of those whom that is for, and sees the list', () => {
  const asked: unknown[] = []
  const sees = (answer: boolean) => (audiences: unknown) => asked.push(audiences) > 0 && answer
  const changed = (list: 'tools' | 'prompts', ...audiences: readonly Audience[]) => ({ list, audiences })
  const bob = { id: 'bob' }
  expect(concerns(changed('tools', ANN), bob, sees(true))).toBe(false)
  expect(concerns(changed('prompts', ANN), bob, sees(true))).toBe(false)
  expect(concerns(changed('prompts', ALL), bob, sees(false))).toBe(true)
  expect(asked).toEqual([])
  expect(concerns(changed('tools', ANN, ALL), bob, sees(true))).toBe(true)
  expect(concerns(changed('tools', ANN, ALL), bob, sees(false))).toBe(false)
  expect(asked).toEqual([[ALL], [ALL]])
})
