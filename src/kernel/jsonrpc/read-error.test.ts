import { expect, it } from 'vitest'
import { parse } from './parse.ts'
import { readError } from './read-error.ts'

const LONG = 'a\n'.repeat(100_000)

it('keeps the beginning of what an error says at length, and of its data where that is text', () => {
  const { message, data } = readError({ code: -1, message: LONG, data: LONG })
  expect(message).toBe(`${LONG.slice(0, 16_384)}…`)
  expect(data).toBe(message)
})

it('leaves alone what is short, and data of which programs read more than words', () => {
  const error = { code: -1, message: 'no', data: { text: LONG } }
  expect(readError(error)).toEqual(error)
})

it('has read the error of every answer', () => {
  const error = { code: -1, message: LONG }
  const answer = parse(JSON.stringify({ jsonrpc: '2.0', id: 1, error }))
  const nobodys = parse(JSON.stringify({ jsonrpc: '2.0', id: null, error }))
  const read = { message: expect.stringMatching(/^(?:a\n){8192}…$/) }
  expect(answer).toMatchObject({ kind: 'response', error: read })
  expect(nobodys).toMatchObject({ kind: 'refused', response: { error: read } })
})
