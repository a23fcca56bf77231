import { linkSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createFolder, FileDesk } from './desk.ts'

async function open(contents: { readonly [path: string]: string } = { 'a.txt': 'A' }) {
  const root = createFolder(contents)
  return { root, desk: await FileDesk.open({ root }) }
}

it('makes nothing of a name that no file can have, and says why', async () => {
  const { root, desk } = await open()
  const half = 'contains half a character (a lone surrogate), which no name can have'
  for (const name of ['x\ud800', '\udc00/x']) {
    expect(await desk.say('write_file', { path: name, content: '' })).toBe(`error: ${name} ${half}`)
    expect(await desk.say('create_directory', { path: name })).toBe(`error: ${name} ${half}`)
    expect(await desk.say('copy_file', { from: 'a.txt', to: name })).toBe(`error: ${name} ${half}`)
    expect(await desk.say('move_file', { from: 'a.txt', to: name })).toBe(`error: ${name} ${half}`)
  }
  for (const [from, to] of [
    ['a.txt', 'b\0'],
    ['b\0', 'c'],
  ])
    expect(await desk.say('move_file', { from, to } as never)).toBe('error: b\\u0000 contains a NUL byte')
  expect(readdirSync(root)).toEqual(['a.txt'])
})

it('moves nothing by way of the folder above', async () => {
  const { root, desk } = await open({ 'sub/x/a.txt': 'A' })
  expect(await desk.say('move_file', { from: 'sub/x/..', to: 'y' })).toContain('sub/x/.. contains ".."')
  expect(await desk.say('move_file', { from: '..', to: 'y' })).toContain('.. contains ".."')
  expect(readdirSync(root)).toEqual(['sub'])
})

it('says of two names of one file that they are, and takes none of them away', async () => {
  const { root, desk } = await open()
  linkSync(join(root, 'a.txt'), join(root, 'b.txt'))
  for (const overwrite of [false, true])
    expect(await desk.say('move_file', { from: 'a.txt', to: 'b.txt', overwrite })).toBe(
      'error: b.txt is the same file',
    )
  expect(readdirSync(root)).toEqual(['a.txt', 'b.txt'])
})

it('tells somebody outside of very many roots some of them', async () => {
  const roots = Array.from({ length: 12 }, () => createFolder())
  const desk = await FileDesk.open({ root: roots, chosenBy: '--root' })
  const said = await desk.say('read_file', { path: '/etc/hostname' })
  expect(said).toBe(
    `error: /etc/hostname is outside the roots ${roots.slice(0, 10).join(', ')}, … (12 of them: list_roots); --root chooses another`,
  )
})

it('says of a file that is too large for edits what the limit is', async () => {
  const { desk } = await open({ 'large.txt': 'x'.repeat(1024 * 1024 + 1) })
  const edits = [{ oldText: 'x', newText: 'y', all: true }]
  expect(await desk.say('edit_file', { path: 'large.txt', edits })).toBe(
    'error: large.txt is too large to be edited: 1048577 bytes, and the limit is 1048576 bytes',
  )
})
