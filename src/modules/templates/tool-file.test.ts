import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { defineServer } from '../../authoring/define-server.ts'
import { createTestClient } from '../../client/test-client.ts'
import { templates } from './index.ts'
import { ToolFile } from './tool-file.ts'

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-tools-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const toolOf = (name: string) => ({ name, description: 'd', template: 't' })

it('loses nothing of what several servers write into one file at once', async () => {
  const folder = createFolder()
  const path = join(folder, 'tools.json')
  const [one, other] = [new ToolFile(path), new ToolFile(path)]
  const names = Array.from({ length: 10 }, (_, index) => `tool_${index}`)
  await Promise.all(names.map((name, index) => (index % 2 === 0 ? one : other).add('', toolOf(name))))
  await Promise.all([one.remove('', 'tool_0'), other.remove('', 'tool_1')])
  const kept = (await one.read()).map(({ name }) => name)
  expect(kept.toSorted()).toEqual(names.slice(2))
  expect(readdirSync(folder)).toEqual(['tools.json'])
})

it('says of a file in a folder that is not there that it cannot be written', async () => {
  const path = join(createFolder(), 'gone', 'tools.json')
  await expect(new ToolFile(path).add('', toolOf('x'))).rejects.toThrow(`${path} cannot be written (ENOENT)`)
})

const textOf = ({ content }: { readonly content: unknown }) => JSON.stringify(content)

it('leaves out what cannot be offered, with a warning, and keeps it in the file', async () => {
  const path = join(createFolder(), 'tools.json')
  const file = new ToolFile(path)
  for (const name of ['one', 'taken', 'two', 'three']) await file.add('', toolOf(name))
  const warnings: string[] = []
  const server = defineServer({
    name: 's',
    version: '1',
    budgets: { maxTemplatesPerCaller: 2 },
    tools: [{ name: 'taken', run: () => 'own' }],
    modules: [templates({ file: path })],
    observe: (event) => void (event.kind === 'noted' && warnings.push(event.message)),
  })
  await using client = await createTestClient(server)
  const { tools } = await client.request('tools/list')
  expect((tools as { name: string }[]).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['taken', 'one', 'two']),
  )
  expect(warnings).toEqual([
    'templates: taken cannot be offered here: There is a tool "taken" already',
    expect.stringContaining(
      'templates: three cannot be offered here: There is no room for more tools of yours',
    ),
  ])
  expect((await file.read()).map(({ name }) => name)).toEqual(['one', 'taken', 'two', 'three'])
})

it('holds a caller to its budget over all servers that share it', async () => {
  const path = join(createFolder(), 'tools.json')
  const connect = () =>
    createTestClient(
      defineServer({
        name: 's',
        version: '1',
        budgets: { maxTemplatesPerCaller: 3 },
        modules: [templates({ file: path })],
      }),
    )
  await using one = await connect()
  await using other = await connect()
  for (const [name, client] of [
    ['a', one],
    ['b', other],
    ['c', one],
  ] as const)
    expect(textOf(await client.callTool('register_tool', toolOf(name)))).toContain('Registered tool')
  const refused = await other.callTool('register_tool', toolOf('d'))
  expect(textOf(refused)).toContain('There is no room for more tools of yours, unregister one first')
  expect(textOf(await other.callTool('unregister_tool', { name: 'd' }))).toContain('There is no tool d')
  expect(textOf(await other.callTool('register_tool', toolOf('b')))).toContain('already')
  expect((await new ToolFile(path).read()).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
})
