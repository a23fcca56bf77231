import { expect, it } from 'vitest'
import type { Outgoing } from '../jsonrpc/message.ts'
import { print, printPart } from '../jsonrpc/print.ts'
import { holdReply } from './letters.ts'

it('weighs a part of a batch that is nothing but a text by that, and any other by what is printed', () => {
  const partOf = (result: object) =>
    ({ jsonrpc: '2.0', id: 1, result }) as unknown as Extract<Outgoing, { readonly result: unknown }>
  const lettersOf = (reply: ReturnType<typeof partOf>) => holdReply(reply).letters
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

it('is answered as it was when it was ready, whatever becomes of what its tool gave', () => {
  for (const more of [{}, { structuredContent: {} }]) {
    const block = { type: 'text', text: 'said' }
    const reply = { jsonrpc: '2.0', id: 1, result: { content: [block], isError: false, ...more } } as const
    const printed = print(reply)
    const { unchanging } = holdReply(reply)
    block.text = 'changed'
    expect(printPart(unchanging)).toBe(printed)
  }
})
