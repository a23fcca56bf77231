import { expect, it } from 'vitest'
import { NEWEST, REVISIONS } from '../../src/kernel/index.ts'
import { judge } from './judge.ts'
import { needSpec } from './spec.ts'

const CALLED = 'tools/call'

function result(value: object, method = CALLED) {
  return { message: { jsonrpc: '2.0', id: 1, result: value }, method }
}

it('the judge sees a result without its stamp', (context) => {
  const spec = needSpec(context, NEWEST.id)
  expect(judge(spec, result({ content: [], resultType: 'complete' }))).toEqual([])
  expect(judge(spec, result({ content: [] })).join()).toContain('resultType')
})

it('the judge sees a block that the revision has no word for', (context) => {
  const [oldest] = REVISIONS
  const spec = needSpec(context, oldest?.id ?? '')
  const audio = { type: 'audio', data: 'AAEC', mimeType: 'audio/wav' }
  expect(judge(spec, result({ content: [audio] }))).not.toEqual([])
})

it('the judge sees a member that the revision has no word for, when it is told to be strict', (context) => {
  const spec = needSpec(context, NEWEST.id)
  const tool = { name: 'one', inputSchema: { type: 'object' }, execution: {} }
  const heard = result(
    { tools: [tool], resultType: 'complete', ttlMs: 0, cacheScope: 'public' },
    'tools/list',
  )
  expect(judge(spec, heard)).toEqual([])
  expect(judge(spec, heard, 'closed').join()).toContain('execution')
})

it('the judge sees a notice, a question and an error that are wrong', (context) => {
  const spec = needSpec(context, NEWEST.id)
  const judged = (message: object) =>
    judge(spec, { message: { jsonrpc: '2.0', ...message }, method: undefined })
  expect(judged({ method: 'notifications/nobody/knows' })).not.toEqual([])
  expect(judged({ method: 'notifications/progress', params: { progress: 1 } })).not.toEqual([])
  expect(judged({ id: 1, method: 'roots/list' })).not.toEqual([])
  expect(judged({ id: 1, error: { code: -32022, message: 'no data' } })).not.toEqual([])
  expect(judged({ id: null, error: { code: -32700, message: 'null is no id' } })).not.toEqual([])
})
