import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { clientOf, endAfterEach, gatewayTo, namesOf, textOf } from './gateway-of.ts'

endAfterEach()

const noisy = { command: process.execPath, args: [join(import.meta.dirname, 'noisy.mjs')] }
const curious = { command: process.execPath, args: [join(import.meta.dirname, 'curious-upstream.mjs')] }

it('what an upstream asks between calls is asked of the client that it is there for', async () => {
  const gateway = gatewayTo({ curious })
  const visit = async (roots: { uri: string }[]) => {
    const client = await clientOf(gateway, {
      revision: '2025-11-25',
      answers: { 'roots/list': () => ({ roots }) },
      capabilities: { roots: { listChanged: true } },
    })
    const folders = async () => textOf(await client.callTool('folders'))
    await vi.waitFor(async () => expect(await folders()).toBe(roots.map(({ uri }) => uri).join()), {
      timeout: 20_000,
    })
    return { client, folders }
  }
  const mine = [{ uri: 'file:///mine' }]
  const [{ client, folders }] = [await visit(mine), await visit([{ uri: 'file:///yours' }])]
  mine.push({ uri: 'file:///more' })
  client.notify('notifications/roots/list_changed')
  await vi.waitFor(async () => expect(await folders()).toBe('file:///mine,file:///more'), { timeout: 20_000 })
})

it('where a client cannot be asked between calls, the upstream is told so', async () => {
  const gateway = gatewayTo({ curious })
  const client = await clientOf(gateway, { revision: '2025-11-25' })
  expect(await namesOf(client)).toEqual(['folders'])
  await vi.waitFor(async () => expect(textOf(await client.callTool('folders'))).toMatch(/^refused: -32/), {
    timeout: 20_000,
  })
})

it('what an upstream tells between calls is told to the client that it is there for, as far as it wants to hear it', async () => {
  const gateway = gatewayTo({ noisy })
  const [client, other] = [
    await clientOf(gateway, { revision: '2025-11-25' }),
    await clientOf(gateway, { revision: '2025-06-18' }),
  ]
  for (const one of [client, other]) {
    expect(one.instructions).toBe('Always go first.')
    await one.setLogLevel('warning')
    expect(textOf(await one.callTool('go'))).toBe('gone')
  }
  const heard = (one: typeof client) => one.notices.map(({ method, params }) => [method, params])
  const log = ['notifications/message', { level: 'error', data: 'between calls' }]
  const done = ['notifications/elicitation/complete', { elicitationId: 'a page' }]
  await vi.waitFor(() => expect(heard(client)).toEqual([log, done]), { timeout: 20_000 })
  await vi.waitFor(() => expect(heard(other)).toEqual([log]), { timeout: 20_000 })
})

it('a client that is greeted before an upstream is known is told that it may have everything', async () => {
  const gateway = gatewayTo({ away: { url: 'http://127.0.0.1:9/mcp' } })
  const { capabilities } = await clientOf(gateway, { revision: '2025-11-25' })
  expect(capabilities).toMatchObject({ resources: { subscribe: true }, completions: {}, tasks: {} })
})
