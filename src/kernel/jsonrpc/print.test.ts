import { expect, it } from 'vitest'
import type { Outgoing } from './message.ts'
import { print, printPart } from './print.ts'

const good = { jsonrpc: '2.0', id: 1, result: { text: 'a\nb\u2028' } } as const
const bad = { jsonrpc: '2.0', id: 'b', result: { amount: 1n } } as const
const unprintable = { code: -32603, message: 'The answer cannot be written as JSON' }

it('prints on one line', () => {
  expect(print(good)).not.toContain('\n')
  expect(JSON.parse(print(good))).toEqual(good)
})

it('makes an error of an answer that is no JSON, under its id', () => {
  expect(JSON.parse(print(bad))).toEqual({ jsonrpc: '2.0', id: 'b', error: unprintable })
  const error: Outgoing = { jsonrpc: '2.0', id: 2, error: { code: -1, message: 'no', data: 1n } }
  expect(JSON.parse(print(error))).toEqual({ jsonrpc: '2.0', id: 2, error: unprintable })
})

it('prints a block as JSON would, whatever it is made of', () => {
  const toJSON = () => ({ type: 'text', text: 'printed' })
  const block = Object.assign(Object.create({ toJSON }), { type: 'text', text: 'said' })
  const answer = { jsonrpc: '2.0', id: 1, result: { content: [block], isError: false } } as const
  expect(print(answer)).toBe(JSON.stringify(answer))
})

it('prints once what cannot change, and anew what can', () => {
  const content = [{ type: 'text', text: 'said' }]
  const says = (_meta: object) => {
    const result = { resultType: 'complete', content, isError: false, _meta }
    return JSON.parse(print({ jsonrpc: '2.0', id: 1, result } as Outgoing)).result._meta
  }
  const changing = { count: 1 }
  expect(says(changing)).toEqual({ count: 1 })
  changing.count = 2
  expect(says(changing)).toEqual({ count: 2 })
  let printed = 0
  const frozen = Object.freeze({
    get count() {
      return ++printed
    },
  })
  expect([says(frozen), says(frozen)]).toEqual([{ count: 1 }, { count: 1 }])
})

it('keeps the good answers of a batch with a bad one', () => {
  expect(JSON.parse(print([good, bad]))).toEqual([good, { jsonrpc: '2.0', id: 'b', error: unprintable }])
})

it('prints a part of a batch once, whoever asks how long it is', () => {
  let printed = 0
  const result = { toJSON: () => ({ times: ++printed }) }
  const part = { jsonrpc: '2.0', id: 1, result } as unknown as Extract<Outgoing, { readonly result: unknown }>
  expect(printPart(part)).toHaveLength(45)
  expect(JSON.parse(print([part, good]))).toEqual([{ jsonrpc: '2.0', id: 1, result: { times: 1 } }, good])
})

it('tells whoever says what is no JSON', () => {
  expect(() => print({ jsonrpc: '2.0', method: 'notifications/message', params: { data: 1n } })).toThrow(
    TypeError,
  )
})
