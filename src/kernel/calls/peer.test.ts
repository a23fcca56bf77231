import { expect, it } from 'vitest'
import { readImplementation } from './peer.ts'

it('takes what a client says of itself with or without a version, and nothing without a name', () => {
  expect(readImplementation({ name: 'crush', version: '1', title: 'Crush' })).toEqual({
    name: 'crush',
    version: '1',
    title: 'Crush',
  })
  for (const version of [undefined, 7, null])
    expect(readImplementation({ name: 'crush', title: 'Crush', version })).toEqual({
      name: 'crush',
      version: '',
      title: 'Crush',
    })
  for (const value of [undefined, 'crush', { version: '1' }, { name: 7, version: '1' }, ['crush']])
    expect(readImplementation(value)).toBe(undefined)
})
