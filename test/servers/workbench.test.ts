import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createTestClient } from '../../src/index.ts'
import type { KernelEvent, Server } from '../../src/kernel/index.ts'
import { workbench } from '../../src/servers/workbench.ts'

const folder = mkdtempSync(join(tmpdir(), 'workbench-'))
afterAll(() => rmSync(folder, { recursive: true }))

const skillsFolder = join(folder, 'skills')
mkdirSync(join(skillsFolder, 'juggling'), { recursive: true })
mkdirSync(join(skillsFolder, 'broken'))
writeFileSync(
  join(skillsFolder, 'juggling', 'SKILL.md'),
  '---\nname: juggling\ndescription: How to juggle\n---\n\n# Juggling\n',
)
writeFileSync(join(skillsFolder, 'broken', 'SKILL.md'), 'no front matter')

async function create(
  settings: { readonly [name: string]: string },
  events: KernelEvent[] = [],
): Promise<Server> {
  const watching = { name: 'watching', observe: (event: KernelEvent) => void events.push(event) }
  return workbench.create({
    settings: { root: folder, ...settings },
    lists: {},
    modules: [watching],
    budgets: {},
    unscoped: 'open',
    shown: {},
    nodes: {},
    sources: {},
  })
}

it('offers the skills of the folder it is given, and says what it leaves out', async () => {
  const events: KernelEvent[] = []
  const client = await createTestClient(await create({ skills: skillsFolder }, events))
  const { resources } = (await client.request('resources/list')) as unknown as {
    resources: { uri: string }[]
  }
  expect(resources.map(({ uri }) => uri)).toContain('skill://juggling/SKILL.md')
  expect(events).toContainEqual({
    kind: 'noted',
    level: 'warning',
    message: expect.stringContaining('broken'),
  })
})

it('has one of its own unless it is given a folder, and refuses what is no folder', async () => {
  const client = await createTestClient(await create({}))
  const { resources } = (await client.request('resources/list')) as unknown as {
    resources: { uri: string }[]
  }
  const offered = resources.map(({ uri }) => uri).filter((uri) => uri.startsWith('skill:'))
  expect(offered).toEqual(['skill://first-server/SKILL.md'])
  await expect(create({ skills: join(folder, 'none') })).rejects.toThrow('skills: expected a folder')
})

it('has every module that there is, those of other servers by way of one, and says of each tool which it is of', async () => {
  const server = await create({})
  const client = await createTestClient(server)
  const tools = await client.tools()
  const groups = new Set(tools.map(({ _meta }) => _meta?.['perigee/group']))
  expect([...groups]).toEqual([
    'basics',
    'countdown',
    'files',
    'moon',
    'task-list',
    'templates',
    'greeting',
    'primer',
  ])
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['greeting_hello', 'primer_calculate_sum', 'edit_file', 'search_files']),
  )
  expect((await client.callTool('primer_calculate_sum', { a: 5, b: 3 })).content).toEqual([
    { type: 'text', text: '8' },
  ])
  const { resources } = (await client.request('resources/list')) as unknown as {
    resources: { uri: string }[]
  }
  expect(resources.map(({ uri }) => uri)).toEqual(
    expect.arrayContaining([
      'stats://usage',
      'stats://tools',
      'skill://first-server/SKILL.md',
      'file:///logs/app.log',
    ]),
  )
  const { resourceTemplates } = await client.request('resources/templates/list')
  expect(resourceTemplates).toEqual(
    expect.arrayContaining([expect.objectContaining({ uriTemplate: 'file:///{+path}' })]),
  )
  const source = readFileSync(new URL('../../src/servers/workbench.ts', import.meta.url), 'utf8')
  const folders = readdirSync(new URL('../../src/modules', import.meta.url))
  expect(folders.filter((folder) => !source.includes(`/modules/${folder}/`))).toEqual([])
  await server.close()
})
