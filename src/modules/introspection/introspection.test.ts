import { expect, it } from 'vitest'
import { openAs } from '../../../test/setup/caller.ts'
import { talk } from '../../../test/setup/talk.ts'
import { defineServer } from '../../authoring/define-server.ts'
import { basics } from '../basics/index.ts'
import { introspection } from './index.ts'

const create = () => defineServer({ name: 'me', version: '1.2.3', modules: [introspection(), basics()] })

async function read(to: ReturnType<typeof talk>, uri: string): Promise<string> {
  const { result } = await to.ask('resources/read', { uri })
  return (result as { contents: readonly { text: string }[] }).contents[0]?.text ?? ''
}

it('tells its name, its version and how many tools it has now', async () => {
  const server = create()
  const to = talk(server, '2025-11-25')
  expect(JSON.parse(await read(to, 'config://server'))).toEqual({ name: 'me', version: '1.2.3', tools: 3 })
  server.tools.add({ name: 'more', run: () => '' })
  expect(JSON.parse(await read(to, 'config://server'))).toMatchObject({ tools: 4 })
})

it('tells what every tool does', async () => {
  const server = create()
  server.tools.add({ name: 'bare', run: () => '' })
  expect(await read(talk(server, '2025-11-25'), 'help://commands')).toBe(
    'hello: Say hello to someone\nadd: Add two numbers\necho: Give a message back as it came\nbare: \n',
  )
})

it('counts requests and errors of every kind', async () => {
  const to = talk(create())
  const counts = async () =>
    /requests: (\d+)\nerrors: (\d+)\nuptime: [\d.]+ s\n/.exec(await read(to, 'stats://usage'))?.slice(1)
  await to.ask('tools/list')
  to.send('nonsense')
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
  await to.ask('initialize', params)
  expect(await counts()).toEqual(['4', '2'])
  await to.ask('tools/call', { name: 'hello', arguments: {} })
  await to.ask('tools/call', { name: 'unknown' })
  await to.ask('ping')
  expect(await counts()).toEqual(['8', '4'])
})

it('tells a caller of the tools that this caller may use', async () => {
  const server = create()
  server.tools.add({ name: 'dig', description: 'Dig', scopes: ['garden'], run: () => '' })
  const caller = openAs(server, { id: 'ann', scopes: ['introspection', 'garden'] })
  const read = async (uri: string) => (await caller.ask('resources/read', { uri })).result?.['contents']
  expect(await read('help://commands')).toMatchObject([{ text: 'dig: Dig\n' }])
  expect(await read('config://server')).toMatchObject([{ text: expect.stringContaining('"tools":1}') }])
})
