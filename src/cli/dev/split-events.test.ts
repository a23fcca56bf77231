import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { fieldOf, splitEvents } from './split-events.ts'

it('reads what stands under a name, whatever ends a line elsewhere', () => {
  const event = 'event: message\nid:7\ndata: {"text":"a\u2028id: 8\u2029\r{}"}'
  expect(fieldOf(event, 'event')).toBe('message')
  expect(fieldOf(event, 'id')).toBe('7')
  expect(fieldOf(event, 'data')).toBe('{"text":"a\u2028id: 8\u2029\r{}"}')
  expect(fieldOf(': keep-alive', 'data')).toBe(undefined)
})

it('hands on whole events, wherever they were cut, and takes no longer for a long one than for many short ones', async () => {
  const stream = new PassThrough({ highWaterMark: 1 })
  const events: string[] = []
  splitEvents(stream as unknown as IncomingMessage, (event) => events.push(event)) // As much of one as is read.
  for (const text of ['a', '\n', '\nb\n\n', '\n', '\n', 'c\n\nd\n', 'e', '\n\n']) stream.write(text)
  const [piece, pieces] = ['x'.repeat(16 * 1024), 8 * 1024]
  for (let at = 0; at < pieces; at++) stream.write(piece)
  stream.end('\n\n')
  await new Promise((resolve) => stream.once('end', resolve))
  expect(events.slice(0, -1)).toEqual(['a', 'b', '', 'c', 'd\ne'])
  expect(events.at(-1)).toHaveLength(piece.length * pieces)
}, 20_000)
