import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { unifiedDiff } from '../../src/modules/files/unified-diff.ts'
import { createFolder, FileDesk } from './desk.ts'

interface EditReport {
  readonly replaced: number
  readonly written: boolean
  readonly diff: string
}

it('replaces exact pieces, all of them, and shows what has changed', async () => {
  const root = createFolder({ 'a.txt': 'one\ntwo\nthree\n' })
  const desk = await FileDesk.open({ root })
  const edits = [
    { oldText: 'two', newText: 'zwei' },
    { oldText: 'zwei\nthree', newText: 'zwei\ndrei' },
  ]
  const diff = '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n-three\n+zwei\n+drei'
  const dry = await desk.data<EditReport>('edit_file', { path: 'a.txt', edits, dryRun: true })
  expect(dry).toEqual({ path: 'a.txt', replaced: 2, written: false, diff })
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n')
  expect(await desk.say('edit_file', { path: 'a.txt', edits })).toBe(diff)
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\nzwei\ndrei\n')
})

it('changes nothing where one edit does not fit, and says which and why', async () => {
  const text = 'a\r\nb\r\n  c\na'
  const root = createFolder({ 'a.txt': text, 'a.bin': Buffer.from([0xff]) })
  const desk = await FileDesk.open({ root })
  const edit = (...edits: object[]) => desk.say('edit_file', { path: 'a.txt', edits } as never)
  const good = { oldText: 'b', newText: 'B' }
  expect(await edit(good, { oldText: 'x', newText: '' })).toBe(
    'error: edits[1].oldText: "x" does not stand in the file. Nothing was changed',
  )
  expect(await edit(good, { oldText: 'a', newText: '' })).toContain(
    'error: edits[1].oldText: "a" stands 2 times',
  )
  expect(await edit({ oldText: 'a\nb', newText: '' })).toContain('but it does with line ends \\r\\n')
  expect(await edit({ oldText: '\tc', newText: '' })).toContain('but it does with other space around it')
  expect(await edit({ oldText: '', newText: 'x' })).toMatch(/^error: /)
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe(text)
  expect(await edit({ oldText: 'a', newText: '$&', all: true })).toContain('+$&')
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe(text.replaceAll('a', () => '$&'))
  const binary = { path: 'a.bin', edits: [good] }
  expect(await desk.say('edit_file', binary)).toBe('error: a.bin is not UTF-8 text')
  expect(await desk.say('edit_file', { path: 'no.txt', edits: [good] })).toBe('error: no.txt was not found')
})

it('keeps the rights of a file, and writes nothing where nothing changes', async () => {
  const root = createFolder({ 'run.sh': 'echo a\n' })
  execFileSync('chmod', ['750', join(root, 'run.sh')])
  const desk = await FileDesk.open({ root })
  const before = statSync(join(root, 'run.sh')).ino
  const same = await desk.data<EditReport>('edit_file', {
    path: 'run.sh',
    edits: [{ oldText: 'a', newText: 'a' }],
  })
  expect(same).toMatchObject({ written: false, diff: '' })
  expect(statSync(join(root, 'run.sh')).ino).toBe(before)
  await desk.say('edit_file', { path: 'run.sh', edits: [{ oldText: 'a', newText: 'b' }] })
  expect(statSync(join(root, 'run.sh')).mode & 0o777).toBe(0o750)
})

it('has edits of one file one after the other, however many come at once', async () => {
  const root = createFolder({ 'a.txt': Array.from({ length: 20 }, (_, n) => `<${n}>`).join('') })
  const desk = await FileDesk.open({ root })
  const edit = (n: number) =>
    desk.say('edit_file', { path: 'a.txt', edits: [{ oldText: `<${n}>`, newText: `(${n})` }] })
  await Promise.all(Array.from({ length: 20 }, (_, n) => edit(n)))
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe(
    Array.from({ length: 20 }, (_, n) => `(${n})`).join(''),
  )
})

it('edits a few files at a time, however many are to be edited at once', async () => {
  const names = Array.from({ length: 20 }, (_, n) => `${n}.txt`)
  const root = createFolder(Object.fromEntries(names.map((name) => [name, 'a'])))
  const desk = await FileDesk.open({ root }, {}, { maxEditingBytes: 24 * 1024 * 1024 })
  const edits = [{ oldText: 'a', newText: 'b' }]
  await Promise.all(names.map((path) => desk.data('edit_file', { path, edits })))
  for (const name of names) expect(readFileSync(join(root, name), 'utf8')).toBe('b')
  expect(desk.server.usage.read('maxEditingBytes')).toBe(24 * 1024 * 1024)
})

it('prints diffs that git can apply, whatever the texts', async () => {
  const root = createFolder()
  const text = fc
    .tuple(fc.array(fc.constantFrom('a', 'b', 'c', '', ' d'), { maxLength: 30 }), fc.boolean())
    .map(([lines, isEnded]) => lines.join('\n') + (isEnded && lines.length > 0 ? '\n' : ''))
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      const diff = await unifiedDiff('f', before, after)
      if (before === after) {
        expect(diff).toBe('')
        return
      }
      writeFileSync(join(root, 'f'), before)
      execFileSync('git', ['apply', '--whitespace=nowarn'], { cwd: root, input: `${diff}\n` })
      expect(readFileSync(join(root, 'f'), 'utf8')).toBe(after)
    }),
    { numRuns: 40 },
  )
})
