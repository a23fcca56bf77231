import { expect, it } from 'vitest'
import type { Outgoing } from '../jsonrpc/message.ts'
import { print } from '../jsonrpc/print.ts'
import { lettersOf } from './letters.ts'

it('weighs a part of a batch that is nothing but a text by that, and any other by what is printed', () => {
  const partOf = (result: object) =>
    ({ jsonrpc: '2.0', id: 1, result }) as unknown as Extract<Outgoing, { readonly result: unknown }>
  const content = [{ type: 'text', text: 'said' }]
  expect(lettersOf(partOf({ content, isError: false }))).toBe('said')
  for (const more of [{ content }, { content, isError: false, structuredContent: {} }])
    expect(lettersOf(partOf(more))).toBe(print(partOf(more)))
  const unreadable = {
    get content() {
      throw new Error('not to be read')
    },
    isError: false,
  }
  expect(lettersOf(partOf(unreadable))).toContain('The answer cannot be written as JSON')
})
