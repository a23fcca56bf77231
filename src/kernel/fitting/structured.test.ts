import { expect, it } from 'vitest'
import { findRevision } from '../revisions/index.ts'
import type { Revision } from '../revisions/revision.ts'
import { fitsStructured } from './structured.ts'

it('a revision that takes objects alone is given what prints as one', () => {
  const revision = findRevision('2025-11-25') as Revision
  const itself = { toJSON: () => ({ a: 1 }) }
  for (const value of [{}, { a: 1 }, itself, { toJSON: 'a member' }])
    expect(fitsStructured(value, revision)).toBe(true)
  const nothing = { toJSON: () => undefined }
  for (const value of [[], 'a', null, new Date(0), new Date(Number.NaN), new URL('x://y'), nothing])
    expect(fitsStructured(value, revision)).toBe(false)
})
