import { expect, it } from 'vitest'
import { introduction } from '../../test/setup/talk.ts'
import { defineServer } from '../authoring/define-server.ts'
import type { JsonObject } from './jsonrpc/message.ts'
import { parse } from './jsonrpc/parse.ts'

const server = defineServer({
  name: 's',
  version: '1',
  tools: [
    { name: 'open', run: () => 'open' },
    { name: 'guarded', scopes: ['notes:write', 'admin'], run: () => 'guarded' },
  ],
  resources: [
    { uri: 'x://secret', name: 'secret', scopes: ['notes:read'], subscribable: true, read: () => 'secret' },
  ],
  prompts: [{ name: 'p', scopes: ['notes:read'], render: () => 'p' }],
})

/** Sends a request of a caller who has been granted these scopes; none at all means no limits. */
async function as(scopes: readonly string[] | undefined, method: string, params: JsonObject = {}) {
  const principal = { id: 'ann', ...(scopes !== undefined && { scopes }) }
  const link = server.open({ outlet: { send: () => {} }, principal })
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: introduction() } }
  return (await server.receive(parse(JSON.stringify(message)), link)) as unknown as {
    result?: JsonObject
    error?: JsonObject
  }
}

it('lets a caller without scopes use everything', async () => {
  expect(await as(undefined, 'tools/call', { name: 'guarded' })).toMatchObject({ result: { isError: false } })
})

it('names the scopes that a caller lacks', async () => {
  const { error } = await as(['notes:write'], 'tools/call', { name: 'guarded' })
  expect(error).toMatchObject({
    message: 'Insufficient scope: this needs admin',
    data: { scopes: ['admin'] },
  })
  for (const [method, params] of [
    ['resources/read', { uri: 'x://secret' }],
    ['prompts/get', { name: 'p' }],
  ] as const) {
    expect(await as([], method, params)).toMatchObject({ error: { data: { scopes: ['notes:read'] } } })
    expect(await as(['notes:read'], method, params)).toMatchObject({ result: {} })
  }
})

it('takes a broad scope for the narrow ones below it, and not for those beside it', async () => {
  expect(await as(['notes'], 'prompts/get', { name: 'p' })).toMatchObject({ result: {} })
  expect(await as(['note'], 'prompts/get', { name: 'p' })).toMatchObject({ error: {} })
  expect(await as(['notes:read:all'], 'prompts/get', { name: 'p' })).toMatchObject({ error: {} })
})

it('needs nothing for what is open or unknown', async () => {
  expect(await as([], 'tools/call', { name: 'open' })).toMatchObject({ result: { isError: false } })
  expect(await as([], 'tools/call', { name: 'nothing' })).toMatchObject({
    error: { message: 'Unknown tool: nothing' },
  })
  expect(await as([], 'resources/read', { uri: 'x://nothing' })).toMatchObject({ error: { code: -32602 } })
})

it('lists what a caller may use, and does not let others share that list', async () => {
  const limited = await as([], 'tools/list')
  expect(limited.result).toMatchObject({ tools: [{ name: 'open' }], cacheScope: 'private' })
  const free = await as(undefined, 'tools/list')
  expect(free.result).toMatchObject({ tools: [{ name: 'open' }, { name: 'guarded' }], cacheScope: 'public' })
})
