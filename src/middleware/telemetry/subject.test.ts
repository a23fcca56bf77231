import { expect, it } from 'vitest'
import type { Id, JsonObject } from '../../kernel/index.ts'
import { bounded, boundedMethod, describeRefused } from './subject.ts'

const request = (method: string, params?: JsonObject, id: Id = 1) =>
  ({ kind: 'request', id, method, params, length: 2 }) as const
const nothing = { id: 1, tool: undefined, prompt: undefined, uri: undefined, unknown: undefined }

it.each([
  [request('tools/call', { name: 'add' }), { method: 'tools/call', tool: 'add', unknown: 'target' }],
  [
    request('prompts/get', { name: 'review' }),
    { method: 'prompts/get', prompt: 'review', unknown: 'target' },
  ],
  [request('tools/call', { name: 7 }), { method: 'tools/call' }],
  [request('tools/list', { name: 'add', uri: 'a:b' }), { method: 'tools/list' }],
  [request('resources/read', { uri: 'a:b?key=1#c' }), { method: 'resources/read', uri: 'a:b?…' }],
  [request('resources/subscribe', { uri: 'a:b' }), { method: 'resources/subscribe', uri: 'a:b' }],
  [request('resources/unsubscribe', { uri: 7 }), { method: 'resources/unsubscribe' }],
  [request('no/method', { name: 'add' }), { method: 'no/method', unknown: 'method' }],
  [request('exit'), { method: 'exit' }],
])('says what was refused: %j', (asked, said) => {
  expect(describeRefused(asked)).toEqual({ ...nothing, ...said })
})

it('says no more of long names than their beginning', () => {
  const long = 'x'.repeat(1000)
  const { method, id } = describeRefused(request(long, {}, long))
  expect([method.length, String(id).length]).toEqual([129, 129])
  expect(describeRefused(request('tools/call', { name: long })).tool).toHaveLength(129)
  expect(describeRefused(request('tools/call', { name: 'x'.repeat(128) })).tool).toHaveLength(128)
  const uriOf = (uri: string) => describeRefused(request('resources/read', { uri })).uri
  expect(uriOf(`a:${long}`)).toHaveLength(513)
  expect(uriOf(`a://${long}@h`)).toBe('a://[redacted]@h')
  expect(uriOf(`a://${'x'.repeat(8192)}@h`), 'more is not looked at').toHaveLength(513)
})

it('has one word for all names that the server does not have', () => {
  expect([boundedMethod('tools/call'), boundedMethod('exit'), boundedMethod('no/method')]).toEqual([
    'tools/call',
    'exit',
    '_OTHER',
  ])
  const subject = { ...nothing, method: 'tools/call', tool: 'add' }
  expect(bounded(subject)).toEqual({ method: 'tools/call', tool: 'add', prompt: undefined })
  expect(bounded({ ...subject, unknown: 'target' })).toEqual({
    method: 'tools/call',
    tool: '_OTHER',
    prompt: undefined,
  })
  expect(bounded({ ...nothing, method: 'x', prompt: 'p', unknown: 'method' })).toEqual({
    method: '_OTHER',
    tool: undefined,
    prompt: '_OTHER',
  })
})
