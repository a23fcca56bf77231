import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ResponseParser } from './response-parser.ts'

/** What is read of an answer that comes in pieces of these lengths, the last of which takes all that is left. */
function read(text: string, lengths: readonly number[] = [], ends = true) {
  const seen = { status: 0, headers: {} as { [name: string]: string }, keepMs: -1, body: '', ends: 0 }
  const parser = new ResponseParser({
    onHead: ({ status, headers, keepMs }) =>
      Object.assign(seen, { status, headers: Object.fromEntries(headers), keepMs }),
    onBytes: (bytes) => {
      seen.body += bytes.toString('latin1')
    },
    onEnd: () => {
      seen.ends++
    },
  })
  let rest = Buffer.from(text, 'latin1')
  for (const length of [...lengths, text.length]) {
    if (rest.length > 0) parser.feed(rest.subarray(0, length))
    rest = rest.subarray(length)
  }
  const whole = ends ? parser.finish() : parser.isDone
  return { ...seen, whole }
}

const OK = 'HTTP/1.1 200 OK\r\n'
const ANSWERS = {
  'with a length': `${OK}Content-Type: application/json\r\ncontent-length: 5\r\n\r\nhello`,
  'in chunks': `${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;name="value"\r\nlo\r\n0\r\n\r\n`,
  'in chunks, with a trailer': `${OK}transfer-encoding: chunked\r\n\r\n05\r\nhello\r\n0\r\nsum: 1\r\nof: 2\r\n\r\n`,
  'until the connection ends': `${OK}\r\nhello`,
  'after a word in between': `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${OK}content-length: 5\r\n\r\nhello`,
}

describe('an answer', () => {
  it.each(Object.entries(ANSWERS))('%s is read the same however it is cut into pieces', (_how, text) => {
    const whole = read(text)
    expect(whole).toMatchObject({ status: 200, body: 'hello', ends: 1, whole: true })
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30 })), (lengths) => {
        expect(read(text, lengths)).toEqual(whole)
      }),
    )
    expect(read(text, Array(text.length).fill(1))).toEqual(whole)
  })

  it.each(Object.entries(ANSWERS))('%s that breaks off is not whole', (_how, text) => {
    const needed = text.includes('chunked') || text.includes('content-length')
    expect(read(text.slice(0, -1)).whole).toBe(!needed)
  })

  it.each([204, 304])('of status %s has no body', (status) => {
    expect(read(`HTTP/1.1 ${status} x\r\n\r\n`, [], false)).toMatchObject({ status, body: '', whole: true })
  })

  it('has its headers by small names, together where there are several', () => {
    const { headers } = read(`${OK}VARY: a\r\nVary:b \r\nX-Empty:\r\ncontent-length: 0\r\n\r\n`)
    expect(headers).toEqual({ vary: 'a, b', 'x-empty': '', 'content-length': '0' })
  })

  it.each([
    ['', 4000],
    ['keep-alive: timeout=3\r\n', 2000],
    ['keep-alive: timeout=60, max=100\r\n', 4000],
    ['keep-alive: timeout=0\r\n', 0],
    ['Connection: keep-alive, Close\r\n', 0],
  ])('with %j leaves its connection open for %s ms', (header, keepMs) => {
    expect(read(`${OK}${header}content-length: 0\r\n\r\n`).keepMs).toBe(keepMs)
  })

  it('of HTTP/1.0, or one that ends with its connection, leaves no connection', () => {
    expect(read('HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n').keepMs).toBe(0)
    expect(read(ANSWERS['until the connection ends']).keepMs).toBe(0)
  })
})

describe('what is no answer, or can be read in two ways, is refused:', () => {
  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH\r\n\r\n', 'it begins with "SSH-2.0'],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n', 'it begins'],
    ['a change of protocol', 'HTTP/1.1 101 Switching\r\n\r\n', 'another protocol'],
    ['a header without a colon', `${OK}nothing\r\n\r\n`, 'a header is "nothing"'],
    ['a header that is gone on with', `${OK}a: b\r\n c\r\n\r\n`, 'a header is " c"'],
    ['a space before the colon', `${OK}content-length : 5\r\n\r\n`, 'a header is'],
    ['a single end of line', `${OK}a: b\nc: d\r\n\r\n`, 'a header is'],
    ['two lengths', `${OK}content-length: 5\r\ncontent-length: 6\r\n\r\n`, 'its length is "5, 6"'],
    ['a length below zero', `${OK}content-length: -1\r\n\r\n`, 'its length is "-1"'],
    [
      'a length and chunks',
      `${OK}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n`,
      'read in two ways',
    ],
    ['another coding', `${OK}transfer-encoding: gzip, chunked\r\n\r\n`, 'read in two ways'],
    ['a chunk without a size', `${OK}transfer-encoding: chunked\r\n\r\nx\r\n`, 'a chunk has the size "x"'],
    ['a chunk that is longer', `${OK}transfer-encoding: chunked\r\n\r\n1\r\nabc\r\n`, 'longer than it says'],
    ['more than was asked for', `${OK}content-length: 1\r\n\r\nab`, 'more came'],
    ['a head without an end', `${OK}a: ${'b'.repeat(20_000)}`, 'head is longer'],
    ['a size without an end', `${OK}transfer-encoding: chunked\r\n\r\n${'0'.repeat(2000)}`, 'a line of it'],
    [
      'a trailer without an end',
      `${OK}transfer-encoding: chunked\r\n\r\n0\r\n${'a: b\r\n'.repeat(5000)}`,
      'trailer is longer',
    ],
  ])('%s', (_what, text, words) => {
    expect(() => read(text)).toThrow(words)
  })
})
