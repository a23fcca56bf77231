import { expect, it } from 'vitest'
import { toOutput } from './tool-output.ts'

it.each([
  ['a string', 'hi', { content: [{ type: 'text', text: 'hi' }], isError: false }],
  ['nothing', undefined, { content: [], isError: false }],
  [
    'an object',
    { a: 1 },
    { content: [{ type: 'text', text: '{"a":1}' }], isError: false, structuredContent: { a: 1 } },
  ],
  ['an array', [1], { content: [{ type: 'text', text: '[1]' }], isError: false, structuredContent: [1] }],
  ['null', null, { content: [{ type: 'text', text: 'null' }], isError: false, structuredContent: null }],
  ['false', false, { content: [{ type: 'text', text: 'false' }], isError: false, structuredContent: false }],
  [
    'a result',
    { content: [{ type: 'text', text: 'x' }] },
    { content: [{ type: 'text', text: 'x' }], isError: false },
  ],
  ['an empty result', { content: [] }, { content: [], isError: false }],
  ['an error', { isError: true }, { content: [], isError: true }],
  [
    'structured content alone',
    { structuredContent: { a: 1 }, _meta: { m: 1 } },
    {
      content: [{ type: 'text', text: '{"a":1}' }],
      isError: false,
      structuredContent: { a: 1 },
      _meta: { m: 1 },
    },
  ],
  [
    'data that has a member content',
    { content: 'a book' },
    {
      content: [{ type: 'text', text: '{"content":"a book"}' }],
      isError: false,
      structuredContent: { content: 'a book' },
    },
  ],
  [
    'data that has a list of contents',
    { content: ['a'] },
    {
      content: [{ type: 'text', text: '{"content":["a"]}' }],
      isError: false,
      structuredContent: { content: ['a'] },
    },
  ],
])('makes a result of %s', (_name, returned, output) => {
  expect(toOutput(returned)).toEqual(output)
})

it('says what it can of what is no JSON', () => {
  expect(toOutput(Symbol.iterator).content).toEqual([{ type: 'text', text: 'Symbol(Symbol.iterator)' }])
  expect(() => toOutput({ amount: 1n })).toThrow('BigInt')
})
