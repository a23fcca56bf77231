import { expect, it } from 'vitest'
import { talk } from '../../../test/setup/talk.ts'
import { defineServer } from '../../authoring/define-server.ts'
import type { LogLevel } from '../../kernel/index.ts'
import { basics } from '../basics/index.ts'
import { journal } from './index.ts'

function create(logLevel: LogLevel = 'debug') {
  const lines: string[] = []
  const server = defineServer({
    name: 's',
    version: '1',
    logLevel,
    modules: [journal({ logger: 'me', write: (line) => lines.push(line) }), basics],
    tools: [
      {
        name: 'crash',
        run: () => {
          throw new Error('secret detail')
        },
      },
    ],
    prompts: [{ name: 'broken', render: () => 5 }],
  })
  const noted = () =>
    lines.map((line) => JSON.parse(line) as { level: string; logger: string; message: string; time: string })
  return { server, lines, noted }
}

const open = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } }

it('says the same to the client and to the operator, line by line', async () => {
  const { server, lines, noted } = create()
  const to = talk(server)
  await to.ask('initialize', open)
  to.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  await to.ask('tools/call', { name: 'hello', arguments: { name: 'Ann' } })
  await to.ask('tools/call', { name: 'nothing' })
  const expected = [
    ['info', 'Server initialized'],
    ['debug', 'Calling tool: hello'],
    ['debug', 'Calling tool: nothing'],
    ['error', 'tools/call: Unknown tool: nothing'],
  ]
  expect(noted().map(({ level, message }) => [level, message])).toEqual(expected)
  expect(lines.every((line) => line.endsWith('}\n') && !line.slice(0, -1).includes('\n'))).toBe(true)
  expect(noted().every(({ logger, time }) => logger === 'me' && !Number.isNaN(Date.parse(time)))).toBe(true)
  const told = to.notices('notifications/message').map(({ params }) => params)
  expect(told).toHaveLength(expected.length)
  expect(told).toEqual(
    expect.arrayContaining(expected.map(([level, data]) => ({ level, logger: 'me', data }))),
  )
})

it('greets a client after the first answer that follows its handshake, and after nothing else', async () => {
  const { server } = create()
  const to = talk(server)
  await to.ask('initialize', open)
  await to.ask('ping')
  to.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  expect(to.notices('notifications/message')).toEqual([])
  await to.ask('ping')
  await to.ask('ping')
  expect(to.heard.slice(2).map(({ id, params }) => id ?? params)).toEqual([
    'q3',
    { level: 'info', logger: 'me', data: 'Server initialized' },
    'q4',
  ])
})

it('sends the client nothing below its level, and notes it all the same', async () => {
  const { server, noted } = create('error')
  const to = talk(server)
  await to.ask('initialize', open)
  await to.ask('tools/call', { name: 'hello', arguments: { name: 'Ann' } })
  expect(to.notices('notifications/message')).toEqual([])
  expect(noted()).toHaveLength(2)
})

it('notes what is refused, unreadable, wrong and broken', async () => {
  const { server, noted } = create()
  const to = talk(server)
  await to.ask('tools/list')
  to.send('nonsense')
  await to.ask('initialize', open)
  await to.ask('tools/call', { name: 'hello', arguments: {} })
  await to.ask('tools/call', { name: 'crash' })
  await to.ask('prompts/get', { name: 'broken' })
  const errors = noted().filter(({ level }) => level === 'error')
  expect(errors.map(({ message }) => message.split('\n')[0])).toEqual([
    expect.stringContaining('tools/list: Server not initialized'),
    expect.stringContaining('Parse error'),
    expect.stringContaining('tools/call: Invalid arguments for tool hello: name: expected a string'),
    'tools/call: Error: secret detail',
    'tools/call: secret detail',
    'prompts/get: Internal error',
    expect.stringContaining('prompts/get: Error: A prompt must give'),
  ])
})

it('keeps the stack of what is broken from the client', async () => {
  const { server } = create()
  const to = talk(server, '2025-11-25')
  await to.ask('prompts/get', { name: 'broken' })
  expect(JSON.stringify(to.heard)).not.toContain('journal.test')
})
