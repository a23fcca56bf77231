import { expect, it } from 'vitest'
import type { Call } from '../../kernel/index.ts'
import { completionOf, ownOf, paramsOf, targetOf } from './params.ts'

const call = {
  params: { name: 'ours', arguments: { a: 1 }, _meta: {}, task: {}, inputResponses: {}, requestState: 'x' },
  answers: { asked: 1, other: 2 },
} as unknown as Call

it('hands on what came under the upstream’s own name, and nothing that is between client and gateway', () => {
  expect(paramsOf(call, { name: 'theirs' }, undefined)).toEqual({ name: 'theirs', arguments: { a: 1 } })
})

it('answers what the upstream asked in the round before, and nothing else', () => {
  const state = { again: true, keys: ['asked'], requestState: 'theirs' } as const
  expect(paramsOf(call, {}, state)).toMatchObject({ inputResponses: { asked: 1 }, requestState: 'theirs' })
})

it('calls a thing as its list does', () => {
  const listed = { name: 'n', uri: 'a://b', uriTemplate: 'a://{x}' }
  const params = { uri: 'a://c' }
  expect([ownOf('tools', listed, params), ownOf('resources', listed, params)]).toEqual([
    { name: 'n' },
    { uri: 'a://b' },
  ])
  expect(ownOf('templates', listed, params)).toEqual(params)
  expect(completionOf('prompts', listed)).toEqual({ ref: { type: 'ref/prompt', name: 'n' } })
  expect(completionOf('templates', listed)).toEqual({ ref: { type: 'ref/resource', uri: 'a://{x}' } })
})

it('starts a command in a group of its own, with what it was given', () => {
  const stderr = () => {}
  expect(targetOf({ command: 'run', args: ['-v'] }, stderr)).toEqual({
    command: 'run',
    args: ['-v'],
    ownGroup: true,
    stderr,
  })
  expect(targetOf({ url: 'https://a.example/mcp' }, stderr)).toBe('https://a.example/mcp')
})
