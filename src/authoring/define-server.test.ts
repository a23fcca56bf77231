import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { talk } from '../../test/setup/talk.ts'
import { defineServer } from './define-server.ts'

const tool = (name: string) => ({ name, run: () => name })

it('gathers what its modules offer, its own first', async () => {
  const server = defineServer({
    name: 's',
    version: '1',
    tools: [tool('own')],
    modules: [
      { name: 'a', tools: [tool('a')], prompts: [] },
      { name: 'b', tools: [tool('b')] },
    ],
  })
  expect([...server.tools].map(({ key }) => key)).toEqual(['own', 'a', 'b'])
  expect(server.offers).toMatchObject({ tools: true, prompts: true, resources: false })
})

it('refuses two things of one name', () => {
  const modules = [
    { name: 'a', tools: [tool('t')] },
    { name: 'b', tools: [tool('t')] },
  ]
  expect(() => defineServer({ name: 's', version: '1', modules })).toThrow('There is a tool "t" already')
})

it('tells every observer of everything', async () => {
  const heard: string[] = []
  const server = defineServer({
    name: 's',
    version: '1',
    observe: () => heard.push('own'),
    modules: [{ name: 'a', observe: () => heard.push('a') }],
  })
  talk(server).send('nonsense')
  expect(heard).toEqual(['own', 'a'])
})

it('tells the others of what one observer fails at, at once or later, and says each failure once', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => said.mockRestore())
  const stray: unknown[] = []
  const note = (error: unknown) => stray.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  const heard: string[] = []
  const post = (): unknown => Promise.reject(new Error('cannot post'))
  const server = defineServer({
    name: 's',
    version: '1',
    observe: () => post(),
    modules: [
      {
        name: 'a',
        observe: () => {
          throw new Error('cannot write')
        },
      },
      { name: 'b', reports: true, observe: ({ kind }) => heard.push(kind) },
    ],
  })
  for (let times = 0; times < 3; times++) talk(server).send('nonsense')
  await nextTurn()
  expect([heard, stray]).toEqual([['unreadable', 'unreadable', 'unreadable'], []])
  const lines = said.mock.calls.map(([error]) => String(error))
  expect(lines.toSorted()).toEqual([
    expect.stringContaining('cannot post'),
    expect.stringContaining('cannot write'),
  ])
})

it('says who it is in the words of the revision', async () => {
  const server = defineServer({
    name: 's',
    version: '1',
    title: 'S',
    websiteUrl: 'https://example.org',
    instructions: 'Ask',
  })
  const initialize = async (protocolVersion: string) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } }
    return (await talk(server).ask('initialize', params))['result'] as {
      serverInfo: object
      instructions: string
    }
  }
  expect((await initialize('2024-11-05')).serverInfo).toEqual({ name: 's', version: '1' })
  expect((await initialize('2025-06-18')).serverInfo).toEqual({ name: 's', version: '1', title: 'S' })
  expect(await initialize('2025-11-25')).toMatchObject({
    serverInfo: { websiteUrl: 'https://example.org' },
    instructions: 'Ask',
  })
})

it('takes settings, and does not take undefined for one', async () => {
  const server = defineServer({
    name: 's',
    version: '1',
    pageSize: 1,
    logLevel: undefined as never,
    tools: [tool('a'), tool('b')],
  })
  expect(server.settings).toMatchObject({ pageSize: 1, logLevel: 'info' })
  expect(await talk(server, '2025-11-25').ask('tools/list')).toMatchObject({
    result: { tools: [{ name: 'a' }], nextCursor: expect.any(String) },
  })
})

it('tells handshake clients once of however many changes', async () => {
  const server = defineServer({ name: 's', version: '1', tools: [] })
  const to = talk(server, '2025-11-25')
  server.tools.add(tool('a'))
  server.tools.add(tool('b'))
  server.tools.remove('a')
  server.resources.add({ uri: 'x://a', name: 'a', read: () => '' })
  await new Promise(setImmediate)
  expect(to.heard.map(({ method }) => method)).toEqual([
    'notifications/tools/list_changed',
    'notifications/resources/list_changed',
  ])
})
