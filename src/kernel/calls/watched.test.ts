import { expect, it } from 'vitest'
import { defineTool } from '../../authoring/define.ts'
import { defineServer } from '../../authoring/define-server.ts'
import { connectMemory } from '../../transports/memory/index.ts'
import { Fault } from '../faults.ts'
import type { KernelEvent } from './events.ts'
import { NOWHERE, type Outlet } from './outlet.ts'
import type { MessageWatcher } from './watched.ts'

function watched(watcher?: Partial<MessageWatcher>) {
  const seen: string[] = []
  const crashed: unknown[] = []
  const server = defineServer({
    name: 's',
    version: '1',
    reports: true,
    observe: (event: KernelEvent) => event.kind === 'crashed' && crashed.push(event.error),
    tools: [
      defineTool({ name: 'now', description: '', run: () => 'now' }),
      defineTool({
        name: 'later',
        description: '',
        run: async (_args, call) => {
          call.log('info', 'on the way')
          await Promise.resolve()
          return 'later'
        },
      }),
    ],
  })
  server.watchers.add({
    received: (_link, incoming) => {
      seen.push(`in ${'method' in incoming ? incoming.method : incoming.kind}`)
      return (reply) => seen.push(`reply ${'id' in reply ? reply.id : ''}`)
    },
    sent: (_link, message) => void seen.push(`out ${'method' in message ? message.method : 'reply'}`),
    ...watcher,
  })
  const heard: unknown[] = []
  const open = () => connectMemory(server, (message) => heard.push(message))
  return { seen, crashed, server, heard, open }
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
}
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' }
const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } })

it('tells of what comes, of what answers it, and of what the server says on the way, in this order', async () => {
  const { seen, heard, open } = watched()
  const end = open()
  for (const message of [INITIALIZE, INITIALIZED, call(2, 'now'), call(3, 'later')]) end.send(message)
  await expect.poll(() => heard.length).toBe(4)
  expect(seen).toEqual([
    ...['in initialize', 'reply 1', 'in notifications/initialized'],
    ...['in tools/call', 'reply 2'],
    ...['in tools/call', 'out notifications/message', 'reply 3'],
  ])
})

it('answers a synchronous call before receive returns, watched or not', () => {
  const { heard, open } = watched()
  const end = open()
  end.send(INITIALIZE)
  end.send(call(2, 'now'))
  expect(heard).toHaveLength(2)
})

it('tells once of a reply that a transport sends by the outlet of the link', () => {
  const { server, seen } = watched()
  const link = server.open({ outlet: { send: () => {} } })
  const incoming = { kind: 'request', id: 7, method: 'ping', params: undefined, length: 0 } as const
  link.receive(incoming, (reply) => reply && link.outlet.send(reply))
  expect(seen).toEqual(['in ping', 'reply 7'])
})

it('lets a message go its way when a watcher fails, and says so', () => {
  const { heard, crashed, open } = watched({
    received: () => {
      throw new Error('blind')
    },
  })
  open().send(INITIALIZE)
  expect(heard).toHaveLength(1)
  expect(crashed).toEqual([new Error('blind')])
})

it('makes links without any of this while nobody watches', () => {
  const { server, seen, open } = watched()
  server.watchers.clear()
  const end = open()
  server.watchers.add({ received: () => () => seen.push('late'), sent: () => seen.push('late') })
  end.send(INITIALIZE)
  expect(seen).toEqual([])
})

it('leaves to the outlet whatever else a transport has it do', () => {
  const { server, seen } = watched()
  const [fault, sent]: [Fault, unknown[]] = [new Fault('headerMismatch'), []]
  const request = { kind: 'request', id: 7, method: 'ping', params: undefined, length: 0 } as const
  const asked = (outlet: Outlet) => {
    outlet.detach?.()
    outlet.send({ jsonrpc: '2.0', method: 'notifications/x' })
    const { answersOnly, unasked, headers } = outlet
    const checks = [outlet.check?.(request, fault), outlet.checkArguments?.(request, [])]
    return [...checks, outlet.refused?.(request, fault), answersOnly, unasked, headers]
  }
  const able: Outlet = {
    send: (message) => void sent.push(message),
    check: () => fault,
    checkArguments: () => fault,
    refused: () => true,
    answersOnly: true,
    unasked: 'nobody is there',
    headers: { a: 'b' },
    detach: () => void sent.push('detached'),
  }
  const answers = [fault, fault, true, true, 'nobody is there', { a: 'b' }]
  expect(asked(server.open({ outlet: able }).outlet)).toEqual(answers)
  expect([sent.length, seen]).toEqual([2, []])
  const plain = server.open({ outlet: { send: () => {} } }).outlet
  expect(asked(plain)).toEqual([undefined, undefined, false, false, undefined, undefined])
  expect(seen).toEqual(['out notifications/x'])
  expect(server.open({ outlet: NOWHERE }).outlet).toBe(NOWHERE)
})
