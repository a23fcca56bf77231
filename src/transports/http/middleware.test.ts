import { describe, expect, it } from 'vitest'
import { createReader } from '../../../test/http/reader.ts'
import { forAuthor, withHeaders } from './middleware.ts'

describe('what an author answers', () => {
  it.each([200, 599])('may have the status %d', (status) => {
    const { exchange, answers } = createReader()
    forAuthor(exchange).answer(status, { a: 'b' }, 'c')
    expect(answers).toEqual([{ status, headers: { a: 'b' }, body: 'c' }])
  })

  it.each([199, 600, 200.5, Number.NaN])('may not have the status %d', (status) => {
    const { exchange, answers } = createReader()
    expect(() => forAuthor(exchange).answer(status, {})).toThrow('answer: expected a status from 200 to 599')
    expect(answers).toEqual([])
  })

  it.each([{ 'a b': '' }, { '': '' }, { a: 'b\nc' }, { a: '\u0100' }, { a: undefined as unknown as string }])(
    'may not have the headers %j',
    (headers) => {
      const reader = createReader()
      const watch = { crowded() {}, ended() {}, gone() {} }
      expect(() => forAuthor(reader.exchange).answer(200, headers)).toThrow('headers: ')
      expect(() => forAuthor(reader.exchange).stream(headers, watch)).toThrow('headers: ')
      expect(() => withHeaders(reader.exchange, headers)).toThrow('headers: ')
      expect([reader.answers, reader.headers]).toEqual([[], undefined])
    },
  )
})
