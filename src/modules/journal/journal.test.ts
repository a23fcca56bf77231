import { expect, it } from 'vitest'
import { talk } from '../../../test/setup/talk.ts'
import { defineServer } from '../../authoring/define-server.ts'
import type { LogLevel } from '../../kernel/index.ts'
import { basics } from '../basics/index.ts'
import { journal } from './index.ts'

function create(logLevel: LogLevel = 'debug') {
  return defineServer({
    name: 's',
    version: '1',
    logLevel,
    modules: [journal({ logger: 'me' }), basics()],
    tools: [
      {
        name: 'crash',
        run: () => {
          throw new Error('said to the model')
        },
      },
    ],
    prompts: [{ name: 'broken', render: () => 5 }],
  })
}

const open = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } }

const noticesOf = (to: ReturnType<typeof talk>) =>
  to.notices('notifications/message').map(({ params }) => params as { readonly data: string })

it('says to the client what happens', async () => {
  const to = talk(create())
  await to.ask('initialize', open)
  to.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  await to.ask('tools/call', { name: 'hello', arguments: { name: 'Ann' } })
  await to.ask('tools/call', { name: 'nothing' })
  const expected = [
    { level: 'info', logger: 'me', data: 'Server initialized' },
    { level: 'debug', logger: 'me', data: 'Calling tool: hello' },
    { level: 'debug', logger: 'me', data: 'Calling tool: nothing' },
    { level: 'error', logger: 'me', data: 'tools/call: Unknown tool: nothing' },
  ]
  expect(noticesOf(to)).toHaveLength(expected.length)
  expect(noticesOf(to)).toEqual(expect.arrayContaining(expected))
})

it('greets a client after the first answer that follows its handshake, and after nothing else', async () => {
  const to = talk(create())
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

it('sends the client nothing below its level', async () => {
  const to = talk(create('error'))
  await to.ask('initialize', open)
  await to.ask('tools/call', { name: 'hello', arguments: { name: 'Ann' } })
  expect(noticesOf(to)).toEqual([])
})

it('tells once what is wrong or broken', async () => {
  const to = talk(create('error'), '2025-11-25')
  await to.ask('tools/call', { name: 'hello', arguments: {} })
  await to.ask('tools/call', { name: 'crash' })
  await to.ask('prompts/get', { name: 'broken' })
  to.send('nonsense')
  expect(noticesOf(to).map((notice) => notice.data)).toEqual([
    expect.stringContaining('tools/call: Invalid arguments for tool hello: name: expected a string'),
    'tools/call: said to the model',
    'prompts/get: Internal error',
    expect.stringContaining('Parse error'),
  ])
})

it('keeps the stack and the words of what is broken from the client', async () => {
  const to = talk(create(), '2025-11-25')
  await to.ask('tools/call', { name: 'crash' })
  await to.ask('prompts/get', { name: 'broken' })
  expect(to.heard.length).toBeGreaterThan(2)
  expect(JSON.stringify(to.heard)).not.toContain('journal.test')
  expect(JSON.stringify(to.heard)).not.toContain('A prompt must give')
})

it('does not repeat all of a long name', async () => {
  const to = talk(create('error'), '2025-11-25')
  await to.ask('tools/call', { name: 'x'.repeat(100_000) })
  expect(JSON.stringify(noticesOf(to)).length).toBeLessThan(1000)
})
