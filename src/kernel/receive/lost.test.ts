import { expect, it } from 'vitest'
import { receive } from '../../../test/setup/receive.ts'
import { defineServer } from '../../authoring/define-server.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import { parse } from '../jsonrpc/parse.ts'
import { describeLost } from './lost.ts'

const server = defineServer({
  name: 's',
  version: '1',
  tools: [
    { name: 'read', annotations: { idempotentHint: true }, run: () => '' },
    { name: 'pay', run: () => '' },
  ],
  prompts: [{ name: 'pay', render: () => '' }],
})

it.each<[method: string, params: JsonObject | undefined, retry: boolean]>([
  ['tools/call', { name: 'read' }, true],
  ['tools/call', { name: 'pay' }, false],
  ['tools/call', { name: 'gone' }, false],
  ['tools/call', undefined, false],
  ['prompts/get', { name: 'pay' }, true],
  ['resources/read', { uri: 'x:a' }, true],
  ['tools/list', undefined, true],
])('whoever has lost %s %j is told whether to call again: %s', (method, params, retry) => {
  const request = { kind: 'request', id: 1, method, params, length: 2 } as const
  expect(describeLost(request, server, undefined)).toEqual({ id: 1, retry })
})

it('whoever asks for something when all has been given up is told to ask again, and nothing runs for it', () => {
  const link = server.open({ outlet: { send: () => {} } })
  link.giveUp()
  const replies = [1, 2].map((id) =>
    receive(link, parse(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }))),
  )
  expect(replies).toMatchObject(
    [1, 2].map((id) => ({ id, error: { message: expect.stringContaining('is closing') } })),
  )
  expect(link.lost).toBe(2)
})
