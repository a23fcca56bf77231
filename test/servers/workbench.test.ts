import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

it('has none unless it is given a folder, and refuses what is no folder', async () => {
  const client = await createTestClient(await create({}))
  const { resources } = (await client.request('resources/list')) as unknown as {
    resources: { uri: string }[]
  }
  expect(resources.filter(({ uri }) => uri.startsWith('skill:'))).toEqual([])
  await expect(create({ skills: join(folder, 'none') })).rejects.toThrow('skills: expected a folder')
})
