import { execFileSync } from 'node:child_process'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { createFolder, FileDesk } from './desk.ts'

/** A file that ends in a hole larger than most disks, which nobody lives to read. */
function withHole(root: string, path: string): void {
  truncateSync(join(root, path), 2 ** 40)
}

it.each([
  ['foo/**', '!foo/keep.txt'],
  ['foo/**/', '/bar/*'],
  ['/*', '!/foo'],
  ['/'],
  ['!'],
  ['//', '!/'],
  ['\uFEFFfoo', 'x'],
  ['**/deep', '\\#hash', '\\!bang'],
  ['bar/deep/', '*.txt', '!keep.txt'],
  ['foo', '!foo/keep.txt'],
  ['**', '!*.md'],
  ['[fb]*/deep/**', 'bar/?.txt'],
])('leaves out what git leaves out: %j', async (...rules) => {
  const root = createFolder({
    '.gitignore': `${rules.join('\n')}\n`,
    'foo/keep.txt': '',
    'foo/a.txt': '',
    'foo/deep/b.md': '',
    'bar/a.txt': '',
    'bar/deep/foo/c.txt': '',
    '#hash': '',
    '!bang': '',
    'x.md': '',
  })
  execFileSync('git', ['init', '--quiet'], { cwd: root })
  const listed = execFileSync('git', ['ls-files', '-z', '--others', '--exclude-standard'], { cwd: root })
  const files = String(listed).split('\0').filter(Boolean).sort()
  const desk = await FileDesk.open({ root })
  const { entries } = await desk.data<{ entries: readonly string[] }>('directory_tree')
  expect(entries.filter((entry) => !entry.endsWith('/')).sort()).toEqual(files)
})

it('gives names in data as they are, and in text on one line', async () => {
  const desk = await FileDesk.open({ root: createFolder({ 'a\nb/c': 'x' }) })
  expect(await desk.data('directory_tree')).toEqual({ entries: ['a\nb/', 'a\nb/c'] })
  expect(await desk.say('directory_tree')).toBe('a\\nb/\na\\nb/c')
})

it('finds the end of a line before \\r\\n, and names from here on by ./', async () => {
  const desk = await FileDesk.open({ root: createFolder({ 'a.txt': 'one;\r\ntwo\r\n' }) })
  expect(await desk.say('search_files', { pattern: ';$', name: './*.txt' })).toBe('a.txt:1: one;')
})

it('says of a resource why it cannot be read', async () => {
  const root = createFolder({ large: Buffer.alloc(2 ** 20 + 1) })
  execFileSync('mkfifo', [join(root, 'fifo')])
  const desk = await FileDesk.open({ root })
  for (const [name, why] of Object.entries({
    large: 'large is too large: 1048577 bytes',
    fifo: 'fifo is not a regular file',
    '%00': 'contains a NUL byte',
  }))
    await expect(desk.client.read(`file:///${name}`), name).rejects.toThrow(why)
})

it('writes no other letter in the place of half a character', async () => {
  const desk = await FileDesk.open({ root: createFolder({ a: 'x' }) })
  expect(await desk.say('write_file', { path: 'a', content: '\ud800' })).toContain('content: expected text')
  const edits = [{ oldText: 'x', newText: '\ud800' }]
  expect(await desk.say('edit_file', { path: 'a', edits })).toContain('edits: expected text')
  expect(await desk.say('read_file', { path: 'a' })).toBe('x')
})

it('makes no file of a name that ends as one of a directory', async () => {
  const desk = await FileDesk.open({ root: createFolder({ a: 'x', 'dir/b': 'b' }) })
  const move = (from: string, to: string) => desk.say('move_file', { from, to })
  expect(await move('a', 'b/')).toBe('error: b/ is a directory, not a file')
  expect(await move('a/', 'b')).toBe('error: a/ is not a directory')
  expect(await move('dir/', 'moved/')).toBe('Moved dir/ to moved/')
})

it('finds what is in a folder, also by its whole path', async () => {
  const root = createFolder({ 'src/deep/a.ts': '', 'src/b.ts': '', 'c.ts': '' })
  const desk = await FileDesk.open({ root })
  const find = async (name: string) => {
    const { matches } = await desk.data<{ matches: readonly { path: string }[] }>('search_files', { name })
    return matches.map(({ path }) => path)
  }
  expect(await find('src/')).toEqual(['src/b.ts', 'src/deep/a.ts'])
  expect(await find(`${root}/*.ts`)).toEqual(['c.ts'])
})

it('moves a file whose name ends in a backslash, and not another', async () => {
  const desk = await FileDesk.open({ root: createFolder({ 'a\\': 'with', a: 'without' }) })
  await desk.say('move_file', { from: 'a\\', to: 'moved' })
  expect(await desk.say('read_file', { path: 'moved' })).toBe('with')
})

it('takes a piece for two where it overlaps itself, and all of them for those that do not', async () => {
  const desk = await FileDesk.open({ root: createFolder({ a: 'xaaax' }) })
  const edit = (more: object) =>
    desk.say('edit_file', { path: 'a', edits: [{ oldText: 'aa', newText: 'b', ...more }] })
  expect(await edit({})).toContain('stands 2 times')
  expect(await edit({ all: true })).toContain('+xbax')
})

it('shows a model the beginning of a diff that would fill its context', async () => {
  const desk = await FileDesk.open({ root: createFolder({ a: 'a\n'.repeat(10_000) }) })
  const edits = [{ oldText: 'a', newText: 'b'.repeat(100), all: true }]
  const { diff, replaced } = await desk.data<{ diff: string; replaced: number }>('edit_file', {
    path: 'a',
    edits,
  })
  expect(replaced).toBe(10_000)
  expect(diff.length).toBeLessThan(101_000)
  expect(diff).toMatch(/\n… and \d+ more characters of changes$/)
})

it('gives each letter of a text once where its bytes are read part by part', async () => {
  const text = 'aé東🪐z'
  const desk = await FileDesk.open({ root: createFolder({ a: text }) })
  for (let length = 1; length <= 5; length++) {
    const parts: string[] = []
    for (let offset = 0; offset < Buffer.byteLength(text); offset += length)
      parts.push(await desk.say('read_file', { path: 'a', offset, length }))
    expect(parts.join('')).toBe(text)
  }
})

it('takes no file for a root that a client names', async () => {
  const root = createFolder({ 'a.txt': 'A' })
  const answers = {
    'roots/list': () => ({ roots: [{ uri: pathToFileURL(join(root, 'a.txt')).href }] }),
  }
  const desk = await FileDesk.open({ root }, { answers })
  expect(await desk.say('read_file', { path: 'a.txt' })).toBe('A')
})

it('stops reading lines that nobody waits for any more', async () => {
  const root = createFolder({ 'hole.txt': 'one\n', 'b.txt': 'B\n' })
  withHole(root, 'hole.txt')
  const desk = await FileDesk.open({ root }, {}, { maxReadingBytes: 1024 * 1024 })
  const stop = new AbortController()
  const call = desk.client.callTool('read_file', { path: 'hole.txt', startLine: 5 }, { signal: stop.signal })
  const waiting = desk.say('read_file', { path: 'b.txt', startLine: 1 })
  stop.abort()
  await expect(call).rejects.toThrow()
  expect(await waiting).toBe('B\n')
})

it('searches a file up to where it is no text any more', async () => {
  const root = createFolder({ 'hole.txt': 'needle\n'.repeat(20_000) })
  withHole(root, 'hole.txt')
  const desk = await FileDesk.open({ root })
  expect(await desk.say('search_files', { text: 'no such thing' })).toBe('Nothing was found in 1 file')
})
