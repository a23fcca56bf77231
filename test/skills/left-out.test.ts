import { execFileSync } from 'node:child_process'
import { mkdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestClient, type TestClient } from '../../src/index.ts'
import { codeOf, listSkills, readContents, Shelf } from './shelf.ts'

let shelf: Shelf
let client: TestClient

beforeEach(async () => {
  shelf = await Shelf.create()
  await shelf.writeSkill('good')
  await mkdir(join(shelf.base, 'outside'))
  await writeFile(join(shelf.base, 'outside', 'SKILL.md'), '---\nname: out\ndescription: Secret\n---\n')
  client = await shelf.connect()
})

afterEach(() => shelf[Symbol.asyncDispose]())

const at = (path: string) => join(shelf.root, path)
const uris = async () => (await listSkills(client)).map(({ uri }) => uri)
const filesOfGood = async () => (await listSkills(client))[0]?.resources.map(({ uri }) => uri)

async function isHidden(uri: string): Promise<boolean> {
  const codes = [await codeOf(client, 'resources/read', { uri }), await codeOf(client, 'skills/get', { uri })]
  return codes.every((code) => code === -32602)
}

it('one whose front matter is longer than the operator lets it be is left out', async () => {
  const short = await createTestClient(shelf.serve({ budgets: { maxFrontMatterBytes: 10 } }))
  expect(await listSkills(short)).toEqual([])
  expect(shelf.reports).toEqual([
    expect.stringMatching(/front matter of \d+ bytes, more than 10 \(--max-front-matter\)$/),
  ])
})

describe('a broken skill is left out, and the operator is told once', () => {
  it.each([
    ['# No front matter\n', 'bad/SKILL.md has no front matter'],
    ['---\ndescription: Nameless\n---\n', 'bad/SKILL.md has no name'],
    ['---\nname: bad\n---\n', 'bad/SKILL.md has no description'],
    ['---\nname: other\ndescription: x\n---\n', "bad/SKILL.md has the name other, which is not its folder's"],
  ])('%j', async (text, problem) => {
    await shelf.write('bad/SKILL.md', text)
    await shelf.write('bad/file.md', 'text')
    expect(await uris()).toEqual(['skill://good/SKILL.md'])
    expect(await uris()).toEqual(['skill://good/SKILL.md'])
    expect(await isHidden('skill://bad/SKILL.md')).toBe(true)
    expect(await isHidden('skill://bad/file.md')).toBe(true)
    expect(await codeOf(client, 'resources/directory/read', { uri: 'skill://bad' })).toBe(-32602)
    expect((await client.request('resources/list'))['resources']).toHaveLength(1)
    expect(shelf.reports).toEqual([`Not served as a skill: ${problem}`])
  })

  it('until it is mended', async () => {
    await shelf.write('bad/SKILL.md', '')
    expect(await uris()).toHaveLength(1)
    await shelf.writeSkill('bad')
    expect(await uris()).toHaveLength(2)
    await shelf.write('bad/SKILL.md', '')
    expect(await uris()).toHaveLength(1)
    expect(shelf.reports).toHaveLength(2)
  })

  it('but its files are served where they belong to a skill around it', async () => {
    await shelf.write('good/bad/SKILL.md', 'just text')
    expect(await uris()).toEqual(['skill://good/SKILL.md'])
    expect((await readContents(client, 'skill://good/bad/SKILL.md')).text).toBe('just text')
  })

  it('and so is a skill that is the root itself', async () => {
    await shelf.write('SKILL.md', '---\nname: root\ndescription: x\n---\n')
    expect(await uris()).toEqual(['skill://good/SKILL.md'])
    expect(shelf.reports).toEqual([
      'Not served as a skill: SKILL.md lies in the root itself; each skill needs a folder of its own',
    ])
  })
})

describe('the limits', () => {
  it('allow 512 files, and no more', async () => {
    for (let n = 0; n < 511; n++) await shelf.write(`good/files/${n}`, '')
    expect(await filesOfGood()).toHaveLength(512)
    await shelf.write('good/more', '')
    expect(await uris()).toEqual([])
    expect(await isHidden('skill://good/SKILL.md')).toBe(true)
    expect(shelf.reports).toEqual(['Not served as a skill: good has 513 files, more than 512'])
  })

  it('allow 16 MiB, and no more', async () => {
    await shelf.write('good/SKILL.md', '---\nname: good\ndescription: x\n---\n')
    const size = Buffer.byteLength('---\nname: good\ndescription: x\n---\n')
    await shelf.write('good/large', '')
    await truncate(at('good/large'), 16 * 1024 * 1024 - size)
    expect(await filesOfGood()).toHaveLength(2)
    await truncate(at('good/large'), 16 * 1024 * 1024 - size + 1)
    expect(await uris()).toEqual([])
    expect(shelf.reports).toEqual(['Not served as a skill: good has 16777217 bytes, more than 16777216'])
  })

  it('hold for a skill inside one that has too much, by itself', async () => {
    await shelf.writeSkill('good/inner')
    await shelf.write('good/large', '')
    await truncate(at('good/large'), 16 * 1024 * 1024)
    expect(await uris()).toEqual(['skill://good/inner/SKILL.md'])
    expect(await isHidden('skill://good/large')).toBe(true)
  })
})

describe('nothing outside the folder is served', () => {
  it.each([
    'skill://good/../../outside/SKILL.md',
    'skill://good/%2e%2e/%2e%2e/outside/SKILL.md',
    'skill://good/..%2f..%2foutside%2fSKILL.md',
    'skill://../outside/SKILL.md',
    'skill://%2e%2e/outside/SKILL.md',
    'skill://..%5coutside%5cSKILL.md',
    'skill://good/%252e%252e/%252e%252e/outside/SKILL.md',
    'skill:///etc/passwd',
    'skill://%2fetc%2fpasswd',
    'skill://good//etc/passwd',
    'skill://good/SKILL.md%00.txt',
    'skill://good/%c0%ae%c0%ae/outside/SKILL.md',
  ])('by %s', async (uri) => {
    expect(await isHidden(uri)).toBe(true)
    expect(await codeOf(client, 'resources/directory/read', { uri })).toBe(-32602)
  })

  it('by links to files and folders outside, absolute, relative or in chains', async () => {
    await symlink(join(shelf.base, 'outside', 'SKILL.md'), at('good/absolute.md'))
    await symlink('../../outside/SKILL.md', at('good/relative.md'))
    await symlink('relative.md', at('good/chain.md'))
    await symlink('../../outside', at('good/folder'))
    await symlink('../outside', at('out'))
    expect(await uris()).toEqual(['skill://good/SKILL.md'])
    expect(await filesOfGood()).toEqual(['skill://good/SKILL.md'])
    for (const name of ['absolute.md', 'relative.md', 'chain.md', 'folder/SKILL.md']) {
      expect(await isHidden(`skill://good/${name}`)).toBe(true)
    }
    expect(await isHidden('skill://out/SKILL.md')).toBe(true)
    expect(await codeOf(client, 'resources/directory/read', { uri: 'skill://good/folder' })).toBe(-32602)
    const { resources } = await client.request('resources/directory/read', { uri: 'skill://good' })
    expect(resources).toHaveLength(1)
    expect(shelf.reports.toSorted()).toEqual(
      ['good/absolute.md', 'good/chain.md', 'good/folder', 'good/relative.md', 'out'].map(
        (path) => `Left out: ${path} is outside the root`,
      ),
    )
  })

  it('by a skill whose folder was replaced with a link', async () => {
    expect(await uris()).toEqual(['skill://good/SKILL.md'])
    await rename(at('good'), join(shelf.base, 'moved'))
    await symlink(join(shelf.base, 'moved'), at('good'))
    expect(await isHidden('skill://good/SKILL.md')).toBe(true)
    expect(await uris()).toEqual([])
  })
})

describe('inside the folder', () => {
  it('links to files are followed', async () => {
    await shelf.write('shared/notes.md', 'shared')
    await symlink('../shared/notes.md', at('good/notes.md'))
    expect(await filesOfGood()).toContain('skill://good/notes.md')
    expect((await readContents(client, 'skill://good/notes.md')).text).toBe('shared')
  })

  it('links to folders are not, so that none leads round in circles', async () => {
    await symlink('.', at('good/self'))
    await symlink('..', at('good/up'))
    expect(await filesOfGood()).toEqual(['skill://good/SKILL.md'])
    expect(shelf.reports).toEqual(
      ['self', 'up'].map(
        (name) => `Left out: good/${name} is a link to a directory, and those are not followed`,
      ),
    )
  })

  it('links that lead nowhere and loops of links are left out', async () => {
    await symlink('nothing', at('good/dangling'))
    await symlink('b', at('good/a'))
    await symlink('a', at('good/b'))
    expect(await filesOfGood()).toEqual(['skill://good/SKILL.md'])
    expect(shelf.reports).toHaveLength(3)
  })

  it('what is no regular file is left out and never opened', async () => {
    execFileSync('mkfifo', [at('good/pipe'), at('pipe')])
    await mkdir(at('other'))
    execFileSync('mkfifo', [at('other/SKILL.md')])
    expect(await uris()).toEqual(['skill://good/SKILL.md'])
    expect(await filesOfGood()).toEqual(['skill://good/SKILL.md'])
    expect(await isHidden('skill://good/pipe')).toBe(true)
    expect(await isHidden('skill://other/SKILL.md')).toBe(true)
    expect(shelf.reports).toContain('Left out: good/pipe is not a regular file')
  })

  it('a root that is a link itself works', async () => {
    await rename(shelf.root, join(shelf.base, 'real'))
    await symlink('real', shelf.root)
    expect(await uris()).toEqual(['skill://good/SKILL.md'])
    await rm(shelf.root)
  })
})
