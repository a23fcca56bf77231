import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Client, connect } from '../../src/client/index.ts'
import { createFolder } from '../files/desk.ts'
import { LineProcess } from '../setup/process.ts'

const CCMCP = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'ccmcp.js')

async function start(...flags: string[]): Promise<Client> {
  const client = await connect({ command: process.execPath, args: [CCMCP, '--log-level', 'off', ...flags] })
  onTestFinished(() => client.close())
  return client
}

const namesOf = async (client: Client) => (await client.tools()).map(({ name }) => name)

/** How it ends, and what it says, where it does not start. */
async function failure(...flags: string[]): Promise<string> {
  const child = new LineProcess(CCMCP, { args: flags })
  onTestFinished(() => child.kill())
  return `${await child.end()}: ${child.stderr.trim()}`
}

it('has what its document has, and everything with --full', async () => {
  const root = createFolder({ 'a.txt': 'A' })
  const [plain, full] = [await start('--root', root), await start('--root', root, '--full')]
  const basic = await namesOf(plain)
  expect(basic).toHaveLength(8)
  expect(plain.capabilities).toMatchObject({ resources: {} })
  expect(await namesOf(full)).toEqual(
    expect.arrayContaining([...basic, 'edit_file', 'search_files', 'directory_tree']),
  )
  expect(await full.callTool('directory_tree', {})).toMatchObject({
    structuredContent: { entries: ['a.txt'] },
  })
})

it('changes nothing with --readonly', async () => {
  const names = await namesOf(await start('--root', createFolder(), '--full', '--readonly'))
  expect(names).toEqual(expect.arrayContaining(['read_file', 'search_files']))
  expect(names.filter((name) => /write|edit|create|move|copy/.test(name))).toEqual([])
})

it('takes several roots, and / only where it is said aloud', async () => {
  const roots = [createFolder(), createFolder({ 'b.txt': 'B' })]
  const client = await start('--full', ...roots.flatMap((root) => ['--root', root]))
  expect(await client.callTool('list_roots', {})).toMatchObject({ structuredContent: { roots } })
  const { content } = await client.callTool('read_file', { path: join(roots[1] ?? '', 'b.txt') })
  expect(content).toEqual([{ type: 'text', text: 'B' }])
  expect(await failure('--root', '/')).toBe(
    '2: ccmcp: root: / is every file of this machine; add --whole-disk if that is meant',
  )
  const link = join(createFolder(), 'link')
  symlinkSync('/', link)
  expect(await failure('--root', link)).toContain('root: / is every file of this machine')
  expect(await failure('--root', '/', '--whole-disk')).not.toContain('whole-disk')
  expect(await failure('--root', '/nowhere')).toContain('root: expected a folder, and "/nowhere" is none')
})

it('keeps registered tools in the file that --tools names', async () => {
  const file = join(createFolder(), 'tools.json')
  const first = await start('--tools', file)
  const greeting = { name: 'greet_all', description: 'Greets', template: 'Hello, {name=World}{mark=!}' }
  await first.callTool('register_tool', greeting)
  await first.callTool('register_tool', { ...greeting, name: 'gone' })
  await first.callTool('unregister_tool', { name: 'gone' })
  await first.close()
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([greeting])
  const second = await start('--tools', file)
  const say = async (args: object) => (await second.callTool('greet_all', args as never)).content
  expect(await say({})).toEqual([{ type: 'text', text: 'Hello, World!' }])
  expect(await say({ name: 'Ann' })).toEqual([{ type: 'text', text: 'Hello, Ann!' }])
  const tool = (await second.tools()).find(({ name }) => name === 'greet_all')
  expect(tool?.inputSchema).toMatchObject({ properties: { name: { default: 'World' } }, required: [] })
})

it('does not start with a file of tools that is none', async () => {
  const file = join(createFolder(), 'tools.json')
  writeFileSync(file, '{}')
  expect(await failure('--tools', file)).toContain(`${file}: expected a list of tools, got an object`)
  writeFileSync(file, '[{ "name": "x", "description": "d" }]')
  expect(await failure('--tools', file)).toContain('[0].template: expected a string, got nothing')
})
