import { expect, it } from 'vitest'
import { REVISIONS } from './index.ts'

it.each([
  ['batches', ['2025-03-26']],
  ['formLists', ['2025-11-25', '2026-07-28']],
  ['sampledBlocks', ['2025-11-25', '2026-07-28']],
  ['elicitationId', ['2025-11-25']],
  ['priming', ['2025-11-25']],
] as const)('%s are known to %j and to no other revision', (fact, ids) => {
  expect(REVISIONS.filter((revision) => revision[fact]).map(({ id }) => id)).toEqual(ids)
})
