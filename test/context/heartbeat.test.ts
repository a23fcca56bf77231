import { expect, it } from 'vitest'
import { type Call, defineServer } from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'
import { connectText } from '../../src/transports/memory/index.ts'

interface Timer {
  readonly due: number
  run(): void
}

/** A server with a slow tool at work for a client that wants progress, and its clock in the hand. */
async function begin() {
  let now = 0
  const timers = new Set<Timer>()
  const calls: Call[] = []
  const ends: (() => void)[] = []
  const slow = (_args: unknown, call: Call) => {
    calls.push(call)
    return new Promise<string>((resolve) => ends.push(() => resolve('done')))
  }
  const server = defineServer({
    name: 's',
    version: '1',
    tools: [
      { name: 'slow', run: slow },
      { name: 'task', task: 'optional', run: slow },
      { name: 'at_once', run: () => 'now' },
    ],
  }) as Server
  const said: { method?: string; params?: { progress: number } }[] = []
  const line = connectText(server, (text: string) => void said.push(JSON.parse(text)))
  const send = (message: object) => line.send(JSON.stringify({ jsonrpc: '2.0', ...message }))
  send({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  })
  send({ method: 'notifications/initialized' })
  Object.assign(server.platform, {
    after: (milliseconds: number, run: () => void) => {
      const timer = { due: now + milliseconds, run }
      if (milliseconds === 15_000) timers.add(timer)
      return () => void timers.delete(timer)
    },
  })
  let id = 0
  const call = (name: string, progressToken: string | undefined, more: object = {}) =>
    send({
      id: ++id,
      method: 'tools/call',
      params: {
        name,
        arguments: {},
        ...more,
        ...(progressToken !== undefined && { _meta: { progressToken } }),
      },
    })
  return {
    call,
    timers: () => timers.size,
    tool: () => calls.at(-1) as Call,
    told: () =>
      said
        .filter(({ method }) => method === 'notifications/progress')
        .map(({ params }) => params?.progress ?? 0),
    pass(milliseconds: number) {
      now += milliseconds
      for (const timer of [...timers]) if (timer.due <= now && timers.delete(timer)) timer.run()
    },
    async end() {
      for (const one of ends.splice(0)) one()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

it('tells a client every 15 seconds that a silent call is alive, above what was told and below what comes', async () => {
  const { call, pass, end, told, tool } = await begin()
  call('slow', 'token')
  pass(14_999)
  expect(told()).toEqual([])
  pass(1)
  pass(15_000)
  tool().progress(5, 10)
  pass(15_000)
  pass(15_000)
  pass(15_000)
  tool().progress(5.5, 10)
  await end()
  const values = told()
  expect(values).toEqual([...new Set(values)].sort((one, other) => one - other))
  expect(values.filter((value) => value > 0 && value < 0.001)).toHaveLength(2)
  expect(values.filter((value) => value > 5 && value < 5.001)).toHaveLength(2)
  expect(values).toContain(5)
  expect(values.at(-1)).toBe(5.5)
})

it('does not lose what a tool tells that is less than a silence was broken with', async () => {
  const { call, pass, end, told, tool } = await begin()
  call('slow', 'token')
  pass(15_000)
  tool().progress(0, 10, 'begun')
  await end()
  const [first = 0, second = 0, ...more] = told()
  expect(second).toBeGreaterThan(first)
  expect(more).toEqual([])
})

it('has no timer for a call without a token, for one that answers at once, for a task, and after the answer', async () => {
  const { call, end, timers, pass, told } = await begin()
  call('slow', 'token')
  expect(timers()).toBe(1)
  await end()
  expect(timers()).toBe(0)
  call('at_once', 'token')
  call('slow', undefined)
  expect(timers()).toBe(0)
  call('task', 'token', { task: {} })
  await expect.poll(timers).toBe(0)
  pass(60_000)
  expect(told()).toEqual([])
})
