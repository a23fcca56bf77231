import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { talk } from '../../../test/setup/talk.ts'
import { modern, start } from '../../../test/tasks/tasks-sample.ts'
import { defineServer } from '../../authoring/define-server.ts'
import { timeout } from '../../middleware/timeout.ts'
import type { AuthorMiddleware } from '../index.ts'
import type { Outgoing } from '../jsonrpc/message.ts'

/** A server whose tools do not look whether anybody still waits for them. */
function serve(middleware: readonly AuthorMiddleware[] = []) {
  const ends: (() => void)[] = []
  const run = () => new Promise<string>((resolve) => ends.push(() => resolve('done')))
  const server = defineServer({
    name: 's',
    version: '1',
    budgets: { maxAbandonedBytes: 40_000, maxAbandonedPerCallerBytes: 20_000 },
    middleware,
    tools: [
      { name: 'at-once', run: () => 'done' },
      { name: 'deaf', input: { type: 'object' }, task: 'optional', run },
      { name: 'deaf-too', input: { type: 'object' }, run },
      { name: 'calls', run: (_: never, call) => call.invoke('deaf', { junk: JUNK }) },
      { name: 'looked-up', input: z.object({}).refine(async () => true), run },
      { name: 'never', run: () => new Promise<string>(() => {}) },
    ],
  })
  const end = async () => {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  return { server, end, begun: () => ends.length, used: () => server.usage.read('maxAbandonedBytes') }
}

const JUNK = 'x'.repeat(10_000)
const call = (id: number, name: string, args = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})
const cancel = (requestId: number) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
})

it('counts what was given up until its function has ended, and has no more begin meanwhile', async () => {
  const { server, end, used, begun } = serve()
  const to = talk(server, '2025-11-25')
  for (const id of [1, 2, 3]) to.send(call(id, 'deaf', { junk: JUNK }))
  await expect.poll(begun).toBe(3)
  for (const id of [1, 2, 3]) to.send(cancel(id))
  expect(used()).toBeGreaterThan(40_000)
  expect(await to.ask('tools/call', { name: 'deaf' })).toMatchObject({
    error: { code: 429, message: expect.stringContaining('at most 40000 bytes') },
  })
  expect(await to.ask('tools/call', { name: 'at-once' })).toMatchObject({ result: {} })
  await end()
  to.send(call(4, 'deaf'))
  expect(begun()).toBe(3)
  for (let one = 0; one < 3; one++) await end()
  expect(used()).toBe(0)
})

it('refuses no call for what others have left behind, once its own function has ended', async () => {
  const { server, end, begun } = serve()
  const to = talk(server, '2025-11-25')
  const leave = (id: number, name: string) => {
    to.send(call(id, name, { junk: JUNK }))
    to.send(cancel(id))
  }
  leave(1, 'deaf')
  await end()
  for (const id of [2, 3, 4]) leave(id, 'deaf-too')
  expect(await to.ask('tools/call', { name: 'deaf-too' })).toMatchObject({ error: { code: 429 } })
  to.send(call(5, 'deaf'))
  expect(begun()).toBe(4)
})

it('does not begin what was called off before its arguments were read', async () => {
  const { server, begun } = serve()
  const to = talk(server, '2025-11-25')
  to.send(call(1, 'looked-up'))
  to.send(cancel(1))
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
  expect(begun()).toBe(0)
})

it('counts nothing for a call that is answered', async () => {
  const { server, end, used } = serve()
  const to = talk(server, '2025-11-25')
  to.send(call(1, 'deaf'))
  await end()
  expect([used(), to.heard.length]).toEqual([0, 1])
})

it('is counted for whoever made the call', async () => {
  const { server, begun } = serve()
  const heard: (Outgoing | undefined)[] = []
  const open = (id: string) => {
    const link = server.open({ outlet: { send: () => {} }, principal: { id } })
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    }
    const send = (number: number, method: string, given: object) =>
      link.receive({ kind: 'request', id: number, method, params: { ...given }, length: 100 }, (reply) =>
        heard.push(reply),
      )
    send(0, 'initialize', params)
    heard.length = 0
    return { link, send }
  }
  const [ann, bob] = [open('ann'), open('bob')]
  for (const id of [1, 2]) ann.send(id, 'tools/call', { name: 'deaf', arguments: { junk: JUNK } })
  await expect.poll(begun).toBe(2)
  for (const id of [1, 2]) ann.link.cancel(id)
  heard.length = 0
  for (const one of [ann, bob]) one.send(3, 'tools/call', { name: 'deaf' })
  expect(heard).toMatchObject([{ id: 3, error: { code: 429 } }])
  expect(begun()).toBe(3)
})

it('counts what has timed out, and what a tool has called', async () => {
  const { server, end, used } = serve([timeout({ ms: 1 })])
  const to = talk(server, '2025-11-25')
  for (const [id, name] of ['deaf', 'calls'].entries()) {
    to.send(call(id, name))
    await expect.poll(() => to.heard[id]).toMatchObject({ id, result: { isError: true } })
    expect(used()).toBeGreaterThan(name === 'calls' ? 10_000 : 0)
    await end()
    expect(used()).toBe(0)
  }
})

it('counts the function of a task that was cancelled', async () => {
  const { server, end, used } = serve()
  const client = await modern(server)
  const taskId = await start(client, 'deaf')
  await client.request('tasks/cancel', { taskId })
  expect(used()).toBeGreaterThan(0)
  await end()
  expect(used()).toBe(0)
})

it('counts no function that nothing can end any more', async () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const { server, used } = serve()
  const to = talk(server, '2025-11-25')
  to.send(call(1, 'never'))
  to.send(cancel(1))
  expect(used()).toBeGreaterThan(0)
  await expect
    .poll(() => {
      collect()
      return used()
    })
    .toBe(0)
})

it('counts what has ended no less once it is collected', async () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const { server, end, used } = serve()
  const to = talk(server, '2025-11-25')
  for (const [id, name] of ['deaf', 'never', 'deaf'].entries()) {
    to.send(call(id, name))
    to.send(cancel(id))
  }
  const all = used()
  await end()
  expect(used()).toBeLessThan(all)
  await expect
    .poll(() => {
      collect()
      return server.abandoned.size
    })
    .toBe(1)
  const held = used()
  expect(held).toBeGreaterThan(0)
  await end()
  expect([used(), server.abandoned.size]).toEqual([0, 0])
})
