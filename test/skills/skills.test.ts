import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestClient, defineResource, type TestClient } from '../../src/index.ts'
import { skills } from '../../src/modules/skills/index.ts'
import { codeOf, listSkills, readContents, Shelf } from './shelf.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

let shelf: Shelf
let client: TestClient

beforeEach(async () => {
  shelf = await Shelf.create()
  await shelf.writeSkill('pdf', 'license: MIT\nmetadata: { version: "1.0", tags: [a, b] }\n')
  await shelf.write('pdf/references/FORMS.md', '# Forms\r\n')
  await shelf.write('pdf/assets/logo.png', PNG)
  await shelf.writeSkill('writing')
  client = await shelf.connect()
})

afterEach(() => shelf[Symbol.asyncDispose]())

const invalid = (method: string, params: { readonly [key: string]: unknown }) =>
  codeOf(client, method, params)

describe('skills/list', () => {
  it('lists every skill with all of its front matter and files', async () => {
    const result = await client.request('skills/list')
    expect(result).toMatchObject({ resultType: 'complete', ttlMs: 60_000, cacheScope: 'public' })
    expect(result).not.toHaveProperty('nextCursor')
    const [pdf, writing] = await listSkills(client)
    expect(pdf).toMatchObject({
      uri: 'skill://pdf/SKILL.md',
      frontmatter: {
        name: 'pdf',
        description: 'What pdf does',
        license: 'MIT',
        metadata: { version: '1.0', tags: ['a', 'b'] },
      },
    })
    expect(pdf?.resources.map(({ uri }) => uri).sort()).toEqual([
      'skill://pdf/SKILL.md',
      'skill://pdf/assets/logo.png',
      'skill://pdf/references/FORMS.md',
    ])
    expect(writing?.uri).toBe('skill://writing/SKILL.md')
  })

  it('gives digests and sizes of just the bytes that resources/read gives', async () => {
    await shelf.write('pdf/bom.txt', '\ufeffmark\r\nand NUL \0\n')
    await shelf.write('pdf/empty', '')
    await shelf.write('pdf/latin1.txt', Buffer.from([0x67, 0x72, 0xfc, 0xdf]))
    let files = 0
    for (const { resources } of await listSkills(client)) {
      for (const { uri, digest, size } of resources) {
        const { text, blob } = await readContents(client, uri)
        const bytes = text === undefined ? Buffer.from(blob ?? '', 'base64') : Buffer.from(text)
        expect({ uri, digest, size }).toEqual({
          uri,
          digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
          size: bytes.length,
        })
        files++
      }
    }
    expect(files).toBe(7)
  })

  it('lists skills inside skills, whose files are also files of the outer ones', async () => {
    await shelf.writeSkill('pdf/inner/forms')
    await shelf.write('pdf/inner/forms/a.md', 'a')
    const entries = await listSkills(client)
    expect(entries.map(({ uri }) => uri)).toEqual([
      'skill://pdf/SKILL.md',
      'skill://pdf/inner/forms/SKILL.md',
      'skill://writing/SKILL.md',
    ])
    const [outer, inner] = entries
    for (const { uri } of inner?.resources ?? []) {
      expect(outer?.resources.filter((one) => one.uri === uri)).toHaveLength(1)
    }
    expect(inner?.resources).toHaveLength(2)
  })

  it('lists skills at any depth', async () => {
    await shelf.writeSkill('office/documents/letters')
    expect((await listSkills(client)).map(({ uri }) => uri)).toContain(
      'skill://office/documents/letters/SKILL.md',
    )
  })

  it('comes in pages that do not overlap, of as many as the server says', async () => {
    const paged = await createTestClient(shelf.serve({ pageSize: 2 }))
    for (const name of ['a', 'b', 'c']) await shelf.writeSkill(name)
    const seen: string[] = []
    let pages = 0
    let cursor: unknown
    do {
      const page = await paged.request('skills/list', cursor === undefined ? {} : { cursor })
      seen.push(...(page['skills'] as { uri: string }[]).map(({ uri }) => uri))
      expect(page).toMatchObject({ ttlMs: 60_000, cacheScope: 'public' })
      cursor = page['nextCursor']
      pages++
    } while (cursor !== undefined)
    expect(pages).toBe(3)
    expect(seen).toEqual(['a', 'b', 'c', 'pdf', 'writing'].map((name) => `skill://${name}/SKILL.md`))
  })

  it('has at most 50 on a page', async () => {
    for (let n = 0; n < 50; n++) await shelf.writeSkill(`s${n}`)
    const page = await client.request('skills/list')
    expect(page['skills']).toHaveLength(50)
    const rest = await client.request('skills/list', { cursor: page['nextCursor'] })
    expect(rest['skills']).toHaveLength(2)
    expect(rest).not.toHaveProperty('nextCursor')
  })

  it.each([5, 'x', '', null])('refuses the cursor %j', async (cursor) => {
    expect(await invalid('skills/list', { cursor })).toBe(-32602)
  })

  it('is empty for an empty folder', async () => {
    await rm(shelf.root, { recursive: true })
    await shelf.write('README.md', '# Not a skill\n')
    expect(await listSkills(client)).toEqual([])
    expect(shelf.reports).toEqual([])
  })

  it('is empty for a folder that is not there, and says so once', async () => {
    await rm(shelf.root, { recursive: true })
    expect(await listSkills(client)).toEqual([])
    expect(await listSkills(client)).toEqual([])
    expect(shelf.reports).toEqual([`Left out: ${shelf.root} was not found`])
  })

  it('shows what has changed since', async () => {
    const before = await listSkills(client)
    await shelf.write('pdf/references/FORMS.md', '# FORMS\r\n')
    await rm(join(shelf.root, 'writing'), { recursive: true })
    await shelf.writeSkill('new')
    const after = await listSkills(client)
    expect(after.map(({ uri }) => uri)).toEqual(['skill://new/SKILL.md', 'skill://pdf/SKILL.md'])
    const digest = (entries: typeof before) =>
      entries.flatMap(({ resources }) => resources).find(({ uri }) => uri.endsWith('FORMS.md'))?.digest
    expect(digest(after)).not.toBe(digest(before))
  })
})

describe('skills/get', () => {
  it('gives the same entry as the list', async () => {
    await shelf.writeSkill('pdf/inner/forms')
    for (const entry of await listSkills(client)) {
      const { skill, ...rest } = await client.request('skills/get', { uri: entry.uri })
      expect(skill).toEqual(entry)
      expect(rest).toMatchObject({ resultType: 'complete', ttlMs: 60_000, cacheScope: 'public' })
      expect(rest).not.toHaveProperty('nextCursor')
    }
  })

  it.each([
    'skill://nothing/SKILL.md',
    'skill://pdf',
    'skill://pdf/',
    'skill://pdf/references/FORMS.md',
    'skill://pdf/skill.md',
    'skill://pdf/SKILL.md/',
    'skill://pdf/x/../SKILL.md',
    'https://pdf/SKILL.md',
    'skill://pdf/%',
    '',
  ])('does not know %j', async (uri) => {
    expect(await invalid('skills/get', { uri })).toBe(-32602)
  })

  it.each([{}, { uri: 5 }, { uri: null }])('refuses %j', async (params) => {
    expect(await invalid('skills/get', params)).toBe(-32602)
  })
})

describe('resources/directory/read', () => {
  it('lists the direct children', async () => {
    await shelf.write('pdf/notes', 'x')
    const { resources, ...rest } = await client.request('resources/directory/read', { uri: 'skill://pdf' })
    const [skill] = resources as { size: number }[]
    expect(resources).toEqual([
      {
        uri: 'skill://pdf/SKILL.md',
        name: 'pdf',
        description: 'What pdf does',
        mimeType: 'text/markdown',
        size: skill?.size,
      },
      { uri: 'skill://pdf/assets', name: 'assets', mimeType: 'inode/directory' },
      { uri: 'skill://pdf/notes', name: 'notes', size: 1 },
      { uri: 'skill://pdf/references', name: 'references', mimeType: 'inode/directory' },
    ])
    expect(rest).toMatchObject({ resultType: 'complete' })
    for (const none of ['ttlMs', 'cacheScope', 'nextCursor']) expect(rest).not.toHaveProperty(none)
  })

  it('goes down', async () => {
    const { resources } = await client.request('resources/directory/read', { uri: 'skill://pdf/references' })
    const uri = 'skill://pdf/references/FORMS.md'
    expect(resources).toEqual([{ uri, name: 'FORMS.md', mimeType: 'text/markdown', size: 9 }])
  })

  it('comes in pages, and a cursor of one directory is none of another', async () => {
    const paged = await createTestClient(shelf.serve({ pageSize: 2 }))
    const first = await paged.request('resources/directory/read', { uri: 'skill://pdf' })
    const cursor = first['nextCursor']
    const second = await paged.request('resources/directory/read', { uri: 'skill://pdf', cursor })
    expect(first['resources']).toHaveLength(2)
    expect(second['resources']).toEqual([expect.objectContaining({ uri: 'skill://pdf/references' })])
    expect(second).not.toHaveProperty('nextCursor')
    const other = { uri: 'skill://pdf/references', cursor }
    expect(await codeOf(paged, 'resources/directory/read', other)).toBe(-32602)
  })

  it.each([
    'skill://pdf/SKILL.md',
    'skill://nothing',
    'skill://pdf/nothing',
    'skill://office',
    'skill://',
    'skill://.',
    'skill://pdf/..',
    'skill://pdf/%2e%2e',
  ])('knows no directory %j', async (uri) => {
    await shelf.writeSkill('office/letters')
    expect(await invalid('resources/directory/read', { uri })).toBe(-32602)
  })
})

describe('resources', () => {
  it('list the SKILL.md files under the names of the skills', async () => {
    const { resources } = await client.request('resources/list')
    const [{ size }] = resources as [{ size: number }]
    expect(size).toBe(
      (await listSkills(client))[0]?.resources.find(({ uri }) => uri.endsWith('SKILL.md'))?.size,
    )
    expect(resources).toEqual([
      {
        uri: 'skill://pdf/SKILL.md',
        name: 'pdf',
        description: 'What pdf does',
        mimeType: 'text/markdown',
        size,
      },
      expect.objectContaining({ uri: 'skill://writing/SKILL.md', name: 'writing' }),
    ])
  })

  it('have a template for all files', async () => {
    const { resourceTemplates } = await client.request('resources/templates/list')
    expect(resourceTemplates).toEqual([expect.objectContaining({ uriTemplate: 'skill://{+path}' })])
  })

  it('follow the folder, beside those of others', async () => {
    const read = () => 'mine'
    const resources = [
      defineResource({ uri: 'test://other', name: 'other', read }),
      defineResource({ uri: 'skill://writing/SKILL.md', name: 'mine', read }),
    ]
    const both = await createTestClient(shelf.serve({ resources }))
    const names = async () =>
      ((await both.request('resources/list'))['resources'] as { name: string }[]).map(({ name }) => name)
    expect(await names()).toEqual(['other', 'mine', 'pdf'])
    await shelf.writeSkill('new')
    await rm(join(shelf.root, 'pdf'), { recursive: true })
    expect(await names()).toEqual(['other', 'mine', 'new'])
    await rm(shelf.root, { recursive: true })
    expect(await names()).toEqual(['other', 'mine'])
    expect((await readContents(both, 'skill://writing/SKILL.md')).text).toBe('mine')
  })

  it('show a description that has changed', async () => {
    await client.request('resources/list')
    await shelf.write('pdf/SKILL.md', '---\nname: pdf\ndescription: Other words\n---\n')
    const { resources } = await client.request('resources/list')
    expect(resources).toContainEqual(expect.objectContaining({ name: 'pdf', description: 'Other words' }))
  })

  it('are the same when many ask at once', async () => {
    const lists = await Promise.all(Array.from({ length: 10 }, () => client.request('resources/list')))
    for (const { resources } of lists) expect(resources).toHaveLength(2)
  })

  it('are told of to every server that has the module', async () => {
    const modules = [skills({ root: shelf.root })]
    for (const server of [shelf.serve({ modules }), shelf.serve({ modules })]) {
      const { resources } = await (await createTestClient(server)).request('resources/list')
      expect(resources).toHaveLength(2)
    }
  })

  it.each([
    ['SKILL.md', 'text/markdown'],
    ['run.py', 'text/x-python'],
    ['data.JSON', 'application/json'],
    ['Makefile', 'text/plain'],
    ['a b/ü?#%.txt', 'text/plain'],
  ])('read %s as %s', async (name, mimeType) => {
    if (name !== 'SKILL.md') await shelf.write(`pdf/${name}`, 'text')
    const uri = `skill://pdf/${name.split('/').map(encodeURIComponent).join('/')}`
    expect(await readContents(client, uri)).toMatchObject({ uri, mimeType, text: expect.any(String) })
  })

  it('read what is no text as a blob', async () => {
    await shelf.write('pdf/thing', Buffer.from([0xff]))
    expect(await readContents(client, 'skill://pdf/assets/logo.png')).toEqual({
      uri: 'skill://pdf/assets/logo.png',
      mimeType: 'image/png',
      blob: PNG.toString('base64'),
    })
    expect(await readContents(client, 'skill://pdf/thing')).toMatchObject({
      mimeType: 'application/octet-stream',
      blob: '/w==',
    })
  })

  it.each([
    'skill://pdf',
    'skill://pdf/assets',
    'skill://pdf/nothing.md',
    'skill://nothing/SKILL.md',
    'skill://README.md',
    'skill://pdf/.git/config',
  ])('do not know %s', async (uri) => {
    await shelf.write('README.md', '# Not part of a skill\n')
    await shelf.write('pdf/.git/config', 'secret')
    expect(await invalid('resources/read', { uri })).toBe(-32602)
  })
})

it('refuses an empty root while the server is being made', () => {
  expect(() => skills({ root: '' })).toThrow(new TypeError('skills: root must name a directory'))
})
