import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestClient } from '../../src/index.ts'
import { codeOf, readContents, Shelf } from './shelf.ts'

const ID = 'io.modelcontextprotocol/skills'
const METHODS = ['skills/list', 'skills/get', 'resources/directory/read']

let shelf: Shelf

beforeEach(async () => {
  shelf = await Shelf.create()
  await shelf.writeSkill('pdf')
  await shelf.write('pdf/references/FORMS.md', '# Forms\n')
})

afterEach(() => shelf[Symbol.asyncDispose]())

async function readAsPlainResources(client: TestClient): Promise<void> {
  const { resources } = await client.request('resources/list')
  expect(resources).toEqual([
    expect.objectContaining({
      uri: 'skill://pdf/SKILL.md',
      name: 'pdf',
      description: 'What pdf does',
      mimeType: 'text/markdown',
    }),
  ])
  expect((await readContents(client, 'skill://pdf/SKILL.md')).text).toContain('name: pdf')
  expect((await readContents(client, 'skill://pdf/references/FORMS.md')).text).toBe('# Forms\n')
}

describe.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('%s', (revision) => {
  it('has the files as plain resources', async () => {
    await readAsPlainResources(await shelf.connect(revision))
  })

  it('says -32002 for a file that is not there', async () => {
    const client = await shelf.connect(revision)
    for (const uri of ['skill://pdf/nothing', 'skill://pdf/%2e%2e/x']) {
      expect(await codeOf(client, 'resources/read', { uri })).toBe(-32002)
    }
  })

  it.each(METHODS)('has no %s', async (method) => {
    const client = await shelf.connect(revision)
    expect(await codeOf(client, method, { uri: 'skill://pdf/SKILL.md' })).toBe(-32601)
  })
})

describe('2026-07-28', () => {
  it('is told of the extension, and of resources', async () => {
    const client = await shelf.connect()
    const { capabilities } = await client.request('server/discover')
    expect(capabilities).toMatchObject({ resources: {}, extensions: { [ID]: { directoryRead: true } } })
  })

  it('has the files as plain resources too', async () => {
    await readAsPlainResources(await shelf.connect())
  })
})
