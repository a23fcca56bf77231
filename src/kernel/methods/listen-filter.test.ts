import { expect, it } from 'vitest'
import type { ServerChange } from '../calls/listener.ts'
import { wantsOf } from './listen-filter.ts'

const tools: ServerChange = { list: 'tools', audiences: [] }
const prompts: ServerChange = { list: 'prompts', audiences: [] }
const resource = (uri: string): ServerChange => ({ resource: uri })
const task = (id: string) => ({ task: { id } }) as ServerChange // As far as it is read here.

it('wants what it names, and whatever may be anything', () => {
  const wants = wantsOf({ toolsListChanged: true, resourceSubscriptions: ['a:b'], taskIds: ['1'] })
  const changes = [
    tools,
    prompts,
    resource('a:b'),
    resource('a:c'),
    task('1'),
    task('2'),
    { anything: true } as ServerChange,
  ]
  expect(changes.map(wants)).toEqual([true, false, true, false, true, false, true])
})

it('wants nothing that it does not name', () => {
  expect([tools, prompts, resource('a:b'), task('1')].map(wantsOf({}))).toEqual([false, false, false, false])
})
