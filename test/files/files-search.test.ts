import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/kernel/index.ts'
import { createFolder, FileDesk } from './desk.ts'

interface Found {
  readonly matches: readonly { readonly path: string; readonly line?: number; readonly text?: string }[]
  readonly searched: number
  readonly nextCursor?: string
}

const FILES = {
  '.gitignore': '# made\n/dist\n*.log\n!keep.log\nnode_modules/\nsrc/**/tmp\n',
  'dist/a.ts': 'needle',
  'node_modules/x/b.ts': 'needle',
  '.git/config': 'needle',
  'src/a.ts': 'no\nneedle one\n',
  'src/deep/b.ts': 'Needle two',
  'src/deep/.gitignore': 'b.md\n!loud.log\n',
  'src/deep/b.md': 'needle',
  'src/deep/loud.log': 'needle',
  'src/deep/tmp/c.ts': 'needle',
  'keep.log': 'needle three',
  'lost.log': 'needle',
  'picture.png': Buffer.from('needle\0'),
  'README.md': 'x',
}

type Match = Found['matches'][number]

/** All pages of a search: where the machine is busy, there may be several. */
async function findAll(desk: FileDesk, args: JsonObject): Promise<readonly Match[]> {
  const matches: Match[] = []
  let cursor: string | undefined
  do {
    const page: Found = await desk.data('search_files', { ...args, ...(cursor && { cursor }) })
    matches.push(...page.matches)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return matches
}

async function open() {
  const root = createFolder(FILES)
  symlinkSync('src', join(root, 'link'))
  const desk = await FileDesk.open({ root })
  const paths = async (args: JsonObject) => (await findAll(desk, args)).map(({ path }) => path)
  return { root, desk, paths }
}

it('finds names by glob, and text by words, without what .gitignore names unless told', async () => {
  const { desk, paths } = await open()
  expect(await paths({ name: '*.ts' })).toEqual(['src/a.ts', 'src/deep/b.ts'])
  expect(await paths({ name: 'src/*.ts' })).toEqual(['src/a.ts'])
  expect(await paths({ name: '**/deep/*.{ts,log}' })).toEqual(['src/deep/b.ts', 'src/deep/loud.log'])
  expect(await paths({ name: '[R]EAD??.md' })).toEqual(['README.md'])
  expect(await paths({ text: 'needle' })).toEqual(['keep.log', 'src/a.ts', 'src/deep/loud.log'])
  expect(await paths({ text: 'needle', name: '*.ts' })).toEqual(['src/a.ts'])
  expect(await paths({ text: 'nEEdle', ignoreCase: true, name: '*.ts' })).toEqual([
    'src/a.ts',
    'src/deep/b.ts',
  ])
  for (const path of ['src/deep', './src/deep/'])
    expect(await paths({ text: 'needle', path }), 'as read_file takes it').toEqual(['src/deep/loud.log'])
  expect(await paths({ text: 'needle', ignored: true, name: '*.ts' })).toEqual([
    'dist/a.ts',
    'node_modules/x/b.ts',
    'src/a.ts',
    'src/deep/tmp/c.ts',
  ])
  expect(await findAll(desk, { pattern: '^[Nn]eedle\\s(one|two)$' })).toEqual([
    { path: 'src/a.ts', line: 2, text: 'needle one' },
    { path: 'src/deep/b.ts', line: 1, text: 'Needle two' },
  ])
  expect(await desk.say('search_files', { text: 'needle one' })).toBe('src/a.ts:2: needle one')
})

it('says what it cannot look for', async () => {
  const { desk } = await open()
  const say = (args: object) => desk.say('search_files', args as never)
  expect(await say({})).toContain('error: expected a name, a text or a pattern to look for')
  expect(await say({ text: 'a', pattern: 'b' })).toContain(
    'error: expected one of text and pattern, got both',
  )
  expect(await say({ pattern: '(' })).toContain('error: pattern: expected a regular expression')
  expect(await say({ pattern: 'a', ignoreCase: true })).toContain('error: ignoreCase is for text')
  expect(await say({ text: 'a\nb' })).toContain('error: text: expected a part of one line')
  expect(await say({ name: '*', cursor: 'x' })).toBe(
    'error: cursor: this is none that search_files gave. Begin again without a cursor',
  )
  expect(await say({ name: '*', path: 'README.md' })).toBe('error: README.md is not a directory')
  expect(await say({ name: '{a,b}'.repeat(7) })).toContain('error: name: expected at most 64 patterns')
})

it('ends an expression that would take for ever, and says so', async () => {
  const root = createFolder({ 'a.txt': `${'a'.repeat(60)}!` })
  const desk = await FileDesk.open({ root })
  expect(await desk.say('search_files', { pattern: '^(a+)+$' })).toContain(
    'error: pattern: it takes too long',
  )
  expect(await desk.say('search_files', { pattern: '^a+!$' })).toContain('a.txt:1: aaa')
})

it('finds the same, page by page, as at once', async () => {
  const names = Array.from({ length: 300 }, (_, n) => `d${n % 7}/${n % 3 === 0 ? 'x/' : ''}f${n}.txt`)
  const text = 'hit\nmiss\nhit\nhit\n'
  const root = createFolder(Object.fromEntries(names.map((name) => [name, text])))
  const desk = await FileDesk.open({ root })
  const matches = await findAll(desk, { text: 'hit', limit: 1000 })
  expect(matches).toHaveLength(900)
  expect((await desk.data<Found>('search_files', { text: 'hit', limit: 7 })).matches).toEqual(
    matches.slice(0, 7),
  )
  expect(await findAll(desk, { text: 'hit', limit: 7 })).toEqual(matches)
})

it('finds lines at any place of a large file', async () => {
  const lines = Array.from({ length: 30_000 }, (_, n) => (n % 10_000 === 9999 ? `needle ${n}` : `straw ${n}`))
  const root = createFolder({ 'a.txt': `${lines.join('\n')}\n${'y'.repeat(200_000)}\nneedle last` })
  const desk = await FileDesk.open({ root })
  const matches = await findAll(desk, { text: 'needle' })
  expect(matches.map(({ line }) => line)).toEqual([10_000, 20_000, 30_000, 30_002])
  expect(matches.at(-1)?.text).toBe('needle last')
})

it('shows a tree in the order of its names, page by page, to a depth', async () => {
  const { desk } = await open()
  const whole =
    'README.md\nkeep.log\nlink@\npicture.png\nsrc/\nsrc/a.ts\nsrc/deep/\nsrc/deep/.gitignore\nsrc/deep/b.ts\nsrc/deep/loud.log'
  expect(await desk.say('directory_tree')).toBe(`.gitignore\n${whole}`)
  expect(await desk.say('directory_tree', { depth: 1, path: 'src' })).toBe('a.ts\ndeep/')
  expect(await desk.say('directory_tree', { path: 'dist', ignored: true })).toBe('a.ts')
  const paged: string[] = []
  let cursor: string | undefined
  do {
    const page: { entries: string[]; nextCursor?: string } = await desk.data('directory_tree', {
      limit: 1,
      ...(cursor && { cursor }),
    })
    paged.push(...page.entries)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  expect(paged.join('\n')).toBe(`.gitignore\n${whole}`)
})

it('lists a directory of many entries page by page', async () => {
  const names = Array.from({ length: 2500 }, (_, n) => `f${String(n).padStart(4, '0')}`)
  const root = createFolder(Object.fromEntries(names.map((name) => [name, ''])))
  const desk = await FileDesk.open({ root })
  const listed: string[] = []
  let cursor: string | undefined
  do {
    const text = await desk.say('list_directory', { path: '.', ...(cursor && { cursor }) })
    const [, entries = '', next] =
      /^([\s\S]*?)(?:\nThere is more: go on with the cursor (\S+))?$/.exec(text) ?? []
    listed.push(...entries.split('\n'))
    cursor = next
  } while (cursor !== undefined)
  expect(listed).toEqual(names.map((name) => `F ${name}`))
})
