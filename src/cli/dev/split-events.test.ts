import { expect, it } from 'vitest'
import { fieldOf } from './split-events.ts'

it('reads what stands under a name, whatever ends a line elsewhere', () => {
  const event = 'event: message\nid:7\ndata: {"text":"a\u2028id: 8\u2029\r{}"}'
  expect(fieldOf(event, 'event')).toBe('message')
  expect(fieldOf(event, 'id')).toBe('7')
  expect(fieldOf(event, 'data')).toBe('{"text":"a\u2028id: 8\u2029\r{}"}')
  expect(fieldOf(': keep-alive', 'data')).toBe(undefined)
})
