import { expect, it } from 'vitest'
import { legible } from '../faults.ts'

it('keeps an error whose stack alone cannot be read', () => {
  const error = Object.defineProperty(new Error('no'), 'stack', {
    configurable: true,
    get: () => {
      throw new Error('not to be read')
    },
    set(stack: string) {
      Object.defineProperty(this, 'stack', { value: stack })
    },
  })
  expect(legible(error)).toBe(error)
  expect(error.stack).toBe('Error: no')
})

it('does not keep one whose stack stays so whatever is put in its place', () => {
  const error = Object.defineProperty(new Error('no'), 'stack', {
    get: () => {
      throw new Error('not to be read')
    },
    set: () => {},
  })
  const told = legible(error) as Error
  expect(told).not.toBe(error)
  expect([told.message, told.stack]).toEqual([
    'Something was thrown that cannot be read',
    'Error: Something was thrown that cannot be read',
  ])
})
