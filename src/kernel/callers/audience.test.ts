import { expect, it } from 'vitest'
import { covers, isFor, isGranted, ownerOf } from './audience.ts'

it('is granted by a scope, by a broader one, and to callers without any scopes', () => {
  expect(['files', 'files:read'].map((one) => covers(one, 'files:read'))).toEqual([true, true])
  expect(['file', 'files:r', 'files:read:all'].map((one) => covers(one, 'files:read'))).toEqual([
    false,
    false,
    false,
  ])
  expect(isGranted(['files:read', 'moon'], { id: 'ann', scopes: ['files', 'moon'] })).toBe(true)
  expect(isGranted(['files:read', 'moon'], { id: 'ann', scopes: ['files'] })).toBe(false)
  expect(isGranted(['files'], { id: 'ann' })).toBe(true)
  expect(isGranted(['files'], undefined)).toBe(true)
})

it('is for its owner alone, or for everybody', () => {
  const own = { owner: 'ann', scopes: [] }
  expect(isFor(own, { id: 'ann' })).toBe(true)
  expect(isFor(own, { id: 'bob' })).toBe(false)
  expect(isFor(own, undefined)).toBe(false)
  expect(isFor({ owner: undefined, scopes: [] }, { id: 'bob' })).toBe(true)
})

it('has callers who cannot be told apart as one owner', () => {
  expect([ownerOf(undefined), ownerOf({ id: 'x', anonymous: true }), ownerOf({ id: 'x' })]).toEqual([
    '',
    '',
    'x',
  ])
})
