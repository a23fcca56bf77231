import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createFolder, FileDesk } from './desk.ts'

it('serves several roots, each by its absolute path and the first by relative ones', async () => {
  const [one, two] = [createFolder({ 'a.txt': 'one' }), createFolder({ 'a.txt': 'two', 'sub/b.txt': 'b' })]
  const named = join(createFolder(), 'named')
  symlinkSync(two, named)
  const desk = await FileDesk.open({ root: [one, named], chosenBy: '--root' })
  const read = (path: string) => desk.say('read_file', { path })
  expect(await read('a.txt')).toBe('one')
  expect(await read(join(two, 'a.txt'))).toBe('two')
  expect(await read(join(named, 'sub/b.txt'))).toBe('b')
  expect(await read('/etc/passwd')).toBe(
    `error: /etc/passwd is outside the roots ${one}, ${named}; --root chooses another`,
  )
  expect(await desk.say('move_file', { from: join(two, 'a.txt'), to: 'moved.txt' })).toContain('Moved')
  expect(await read('moved.txt')).toBe('two')
  expect(await desk.data('list_roots')).toEqual({ roots: [one, named] })
})

it('says of a root that it stays where it is, and of one that is gone that it is not there', async () => {
  const [one, two] = [createFolder(), createFolder()]
  const desk = await FileDesk.open({ root: [one, two] })
  expect(await desk.say('move_file', { from: two, to: 'x' })).toBe(
    `error: ${two} is a root, and stays where it is`,
  )
  rmSync(one, { recursive: true })
  expect(await desk.say('create_directory', { path: 'x/y' })).toBe(
    'error: The parent directory of x/y was not found',
  )
})

describe.each(['2025-06-18', '2026-07-28'])('a client of %s that has roots', (revision) => {
  const clientWith = (...roots: string[]) => ({
    revision,
    answers: { 'roots/list': () => ({ roots: roots.map((root) => ({ uri: pathToFileURL(root).href })) }) },
  })

  it('narrows those that were chosen, and gets nothing beside them', async () => {
    const root = createFolder({ 'a.txt': 'A', 'sub/b.txt': 'B' })
    const other = createFolder({ 'c.txt': 'C' })
    const desk = await FileDesk.open({ root }, clientWith(join(root, 'sub'), other, '/'))
    expect(await desk.data('list_roots')).toEqual({ roots: [join(root, 'sub')] })
    expect(await desk.say('read_file', { path: 'b.txt' })).toBe('B')
    expect(await desk.say('read_file', { path: join(root, 'a.txt') })).toContain('is outside the root')
    const uri = pathToFileURL(join(root, 'sub', 'b.txt')).href
    expect(await desk.client.read(uri)).toMatchObject({ contents: [{ uri, text: 'B' }] })
  })

  it('changes nothing where none of its roots lies in them', async () => {
    const [root, other] = [createFolder({ 'a.txt': 'A' }), createFolder()]
    const desk = await FileDesk.open({ root }, clientWith(other))
    expect(await desk.data('list_roots')).toEqual({ roots: [root] })
  })

  it('chooses them where nobody else has, unless it is a stranger or wants the whole disk', async () => {
    const [root, own] = [createFolder({ 'a.txt': 'A' }), createFolder({ 'b.txt': 'B' })]
    const desk = await FileDesk.open({ root, clientChooses: true }, clientWith('/', own))
    expect(await desk.say('read_file', { path: 'b.txt' })).toBe('B')
    expect(await desk.data('list_roots')).toEqual({ roots: [own] })
    const stranger = { ...clientWith(own), principal: { id: 'ann' } }
    const far = await FileDesk.open({ root, clientChooses: true }, stranger)
    expect(await far.data('list_roots')).toEqual({ roots: [root] })
  })
})
