import { expect, it } from 'vitest'
import { talk } from '../../../test/setup/talk.ts'
import { defineServer } from '../../authoring/define-server.ts'
import type { Outgoing } from '../jsonrpc/message.ts'
import type { Call } from './call.ts'
import type { KernelEvent } from './events.ts'
import { Link } from './link.ts'

function createLink() {
  const sent: Outgoing[] = []
  const clocks: { run: () => void; off: boolean }[] = []
  const closed: Link[] = []
  const after = (_milliseconds: number, run: () => void) => {
    const clock = { run, off: false }
    clocks.push(clock)
    return () => {
      clock.off = true
    }
  }
  const server = defineServer({
    name: 's',
    version: '1',
    observe: (event: KernelEvent) => event.kind === 'link-closed' && closed.push(event.link),
  })
  const rested: string[] = []
  const link = new Link({
    server: { ...server, platform: { ...server.platform, after } },
    receive: () => undefined,
    outlet: { send: (message) => sent.push(message) },
    rested: (_link, reason, change) => void rested.push(`${reason} ${change}`),
  })
  const ask = (signal = new AbortController().signal, method = 'roots/list', params?: object) =>
    link.ask({ method, params: params as never, outlet: link.outlet, timeoutMs: 1000, signal })
  return { link, sent, clocks, closed, ask, rested, server }
}

const answer = (id: string | number, more: object = { result: {} }) =>
  ({ kind: 'response', id, result: undefined, error: undefined, ...more }) as never

it('asks with ids of its own, and settles the question that is answered', async () => {
  const { link, sent, clocks, ask } = createLink()
  const first = ask()
  const second = ask(undefined, 'sampling/createMessage', { a: 1 })
  expect(sent).toEqual([
    { jsonrpc: '2.0', id: 1, method: 'roots/list' },
    { jsonrpc: '2.0', id: 2, method: 'sampling/createMessage', params: { a: 1 } },
  ])
  link.answered(answer(2, { result: { b: 2 } }))
  link.answered(answer(1, { result: { b: 1 } }))
  expect([await first, await second]).toEqual([{ b: 1 }, { b: 2 }])
  expect(clocks.every(({ off }) => off)).toBe(true)
})

it('ignores answers to no question, to one of another type, and second answers', async () => {
  const { link, ask } = createLink()
  const asked = ask()
  link.answered(answer(7))
  link.answered(answer('1', { result: { wrong: true } }))
  link.answered(answer(1, { result: { right: true } }))
  link.answered(answer(1, { result: { late: true } }))
  expect(await asked).toEqual({ right: true })
})

it('withdraws a question that is not answered in time', async () => {
  const { sent, clocks, ask, link } = createLink()
  const asked = ask()
  clocks[0]?.run()
  await expect(asked).rejects.toThrow('The client did not answer roots/list in time')
  expect(sent.at(-1)).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 1 } })
  link.answered(answer(1))
})

it('withdraws a question whose call is cancelled', async () => {
  const { sent, ask, clocks } = createLink()
  const controller = new AbortController()
  const asked = ask(controller.signal)
  controller.abort()
  await expect(asked).rejects.toThrow('cancelled')
  expect(sent.at(-1)).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 1 } })
  expect(clocks[0]?.off).toBe(true)
})

it('does not withdraw what has been answered', async () => {
  const { link, sent, ask } = createLink()
  const controller = new AbortController()
  const asked = ask(controller.signal)
  link.answered(answer(1))
  await asked
  controller.abort()
  expect(sent).toHaveLength(1)
})

it('rejects every question when the client leaves or hangs up, and those after it left', async () => {
  const { link, ask, closed } = createLink()
  const first = ask()
  link.hangUp()
  await expect(first).rejects.toThrow('The client has left')
  const second = ask()
  link.close()
  link.close()
  await expect(second).rejects.toThrow('The client has left')
  await expect(ask()).rejects.toThrow('The client has left')
  expect(closed).toEqual([link])
})

/** As much of a call as a link looks at. */
function createCall(id: number) {
  const call = {
    id,
    aborted: false,
    abort() {
      call.aborted = true
    },
  }
  return call as typeof call & Call
}

it('aborts one call on cancel, and all of them when it closes', () => {
  const { link } = createLink()
  const calls = [createCall(1), createCall(2), createCall(3)]
  for (const call of calls) link.calls.set(call.id, call)
  link.cancel(2)
  link.cancel('2')
  link.cancel(9)
  expect(calls.map(({ aborted }) => aborted)).toEqual([false, true, false])
  link.close()
  expect(calls.map(({ aborted }) => aborted)).toEqual([true, true, true])
})

it('counts calls that work, not those that wait for the client', () => {
  const { link } = createLink()
  const [one, two] = [createCall(1), createCall(2)]
  link.calls.set(1, one)
  link.calls.set(2, two)
  expect(link.busy).toBe(2)
  link.rest(one, 'asking')
  link.rest(two, 'listening')
  expect(link.busy).toBe(0)
  link.hangUp()
  expect([one.aborted, two.aborted]).toEqual([false, true])
  link.wake(one)
  link.forget(two)
  expect(link.busy).toBe(1)
})

it('keeps notices back while it holds, in their order', () => {
  const { link, sent } = createLink()
  link.hold()
  link.notify('a')
  link.notify('b', { x: 1 })
  expect(sent).toEqual([])
  link.release()
  link.release()
  link.notify('c')
  expect(sent.map((one) => (one as { method: string }).method)).toEqual(['a', 'b', 'c'])
})

it('says nothing more once it is closed', () => {
  const { link, sent } = createLink()
  link.close()
  link.notify('a')
  expect(sent).toEqual([])
})

it('logs to a known client only, from its level on', () => {
  const { link, sent } = createLink()
  link.log('error', 'nobody there')
  link.peer = {} as never
  link.log('debug', 'too little')
  link.log('info', 'said')
  link.log('error', 'said too', 'logger')
  expect(sent).toMatchObject([
    { params: { level: 'info', data: 'said' } },
    { params: { level: 'error', logger: 'logger', data: 'said too' } },
  ])
})

it('tells its transport when a call begins or ceases to wait for the client, and why', () => {
  const { link, rested } = createLink()
  const call = createCall(1)
  link.rest(call, 'asking')
  expect([link.isResting(call), link.listens]).toEqual([true, false])
  link.rest(call, 'listening')
  expect([link.isResting(call), link.listens]).toEqual([true, true])
  link.wake(call)
  link.wake(call)
  expect([link.isResting(call), link.listens]).toEqual([false, false])
  expect(rested).toEqual(['asking 1', 'asking -1', 'listening 1', 'listening -1'])
})

it('keeps the call of an id that another call has by now', () => {
  const { link } = createLink()
  const [first, second] = [createCall(1), createCall(1)]
  link.calls.set(1, second)
  link.forget(first)
  expect(link.calls.get(1)).toBe(second)
  link.forget(second)
  expect(link.calls.size).toBe(0)
})

it('calls off what waits for its turn, when it is cancelled or the client leaves, and nothing that has begun', () => {
  const { link } = createLink()
  const off: number[] = []
  for (const id of [1, 2, 3]) link.wait(id, () => off.push(id))
  link.begin(1)
  expect([link.waits(1), link.waits(2)]).toEqual([false, true])
  link.cancel(1)
  link.cancel(2)
  link.cancel(2)
  expect(off).toEqual([2])
  link.close()
  expect(off).toEqual([2, 3])
})

it('lets go of everything for a client that may go on elsewhere, whose conversation is not over', async () => {
  const { link, server, closed, ask } = createLink()
  link.operate({ tell: () => {}, end: () => {} })
  server.held.add(link, 5)
  const asked = ask()
  link.park()
  await expect(asked).rejects.toThrow('The client has left')
  expect([link.state, server.listeners.size, server.held.total, closed]).toEqual(['closed', 0, 0, []])
})

it('forgets what the one before had agreed on when somebody new speaks, and tells of the end of that', () => {
  const { link, server, closed } = createLink()
  link.operate({ tell: () => {}, end: () => {} })
  server.held.add(link, 5)
  link.logLevel = 'error'
  link.subscriptions.add('x:a')
  link.reopen()
  expect([server.listeners.size, server.held.total, link.listener]).toEqual([0, 0, undefined])
  expect([link.logLevel, link.subscriptions.size, closed]).toEqual(['info', 0, [link]])
})

it('tells of what a call has changed behind its answer, in the same turn', () => {
  const run = (_args: unknown, { server }: Call) => {
    server.tools.add({ name: 'new', run: () => '' })
    return 'grown'
  }
  const grow = { name: 'grow', run }
  const to = talk(defineServer({ name: 's', version: '1', tools: [grow] }), '2025-11-25')
  to.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'grow' } })
  expect(to.heard.map(({ id, method }) => id ?? method)).toEqual([1, 'notifications/tools/list_changed'])
})
