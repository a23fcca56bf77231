import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { talk } from '../../../test/setup/talk.ts'
import { defineServer } from '../../authoring/define-server.ts'
import type { Call } from '../definitions/authors.ts'
import type { ToolDefinition } from '../definitions/tool.ts'

it('a call that another one has made says and does nothing more once it is over', async () => {
  let kept: Call | undefined
  const inner: ToolDefinition = {
    name: 'inner',
    run: (_args, call) => {
      kept = call
      call.log('error', 'in time')
    },
  }
  const outer: ToolDefinition = {
    name: 'outer',
    run: async (_args, call) => {
      await call.invoke('inner')
      kept?.log('error', 'too late')
      await expect(kept?.invoke('inner')).rejects.toThrow('inner was not called: tools/call is over')
      call.log('error', 'still at work')
    },
  }
  const to = talk(defineServer({ name: 's', version: '1', tools: [inner, outer] }), '2025-11-25')
  expect(await to.ask('tools/call', { name: 'outer' })).toMatchObject({ result: { isError: false } })
  const said = to.notices('notifications/message').map(({ params }) => (params as { data: unknown }).data)
  expect(said).toEqual(['in time', 'still at work'])
})

it('a call may make many at once, which listen together and end with it', async () => {
  let listening: number | undefined
  let begun = 0
  let ended = 0
  const inner: ToolDefinition = {
    name: 'inner',
    run: (_args, call) => {
      begun++
      call.signal.addEventListener('abort', () => ended++)
      return new Promise(() => {})
    },
  }
  const outer: ToolDefinition = {
    name: 'outer',
    run: async (_args, call) => {
      const made = Promise.all(Array.from({ length: 30 }, () => call.invoke('inner')))
      listening = getEventListeners(call.signal, 'abort').length
      await made
    },
  }
  const to = talk(defineServer({ name: 's', version: '1', tools: [inner, outer] }), '2025-11-25')
  to.send({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'outer' } })
  await expect.poll(() => begun).toBe(30)
  to.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } })
  await expect.poll(() => ended).toBe(30)
  // Beyond ten Node warns on stderr.
  expect(listening).toBe(1)
})
