import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createFolder, FileDesk } from './desk.ts'

const uriOf = (...path: string[]) => pathToFileURL(join(...path)).href

it('offers files as resources, by absolute paths and by those that begin in the root', async () => {
  const root = createFolder({ 'a b.md': '# A', 'x.bin': Buffer.from([0xff]), 'docs/c.txt': 'C' })
  const desk = await FileDesk.open({ root })
  const read = async (uri: string) => (await desk.client.read(uri)).contents
  const uri = uriOf(root, 'a b.md')
  expect(await read(uri)).toEqual([{ uri, mimeType: 'text/markdown', text: '# A' }])
  expect(await read('file:///docs/c.txt')).toMatchObject([{ mimeType: 'text/plain', text: 'C' }])
  expect(await read('file:///x.bin')).toMatchObject([{ mimeType: 'application/octet-stream', blob: '/w==' }])
  expect(await read('file:///docs')).toMatchObject([{ mimeType: 'inode/directory', text: 'c.txt' }])
  for (const no of ['file:///no', 'file:///etc/passwd', 'file:///docs%2Fc.txt', 'file:///docs/%2e%2e/x'])
    await expect(read(no), no).rejects.toThrow()
})

it('suggests how a path could go on', async () => {
  const root = createFolder({
    'src/a.ts': '',
    'src/b.ts': '',
    'solo.md': '',
    '.gitignore': 'secret*',
    'secret.txt': '',
  })
  const desk = await FileDesk.open({ root })
  const suggest = async (value: string) => {
    const params = {
      ref: { type: 'ref/resource', uri: 'file:///{+path}' },
      argument: { name: 'path', value },
    }
    const { completion } = await desk.client.request('completion/complete', params)
    return (completion as { values: string[] }).values
  }
  expect(await suggest('s')).toEqual(['solo.md', 'src/'])
  expect(await suggest('src/')).toEqual(['src/a.ts', 'src/b.ts'])
  const below = root.slice(1)
  expect(await suggest(`${below}/src/b`)).toEqual([`${below}/src/b.ts`])
  expect(await suggest(below.slice(0, 2))).toEqual([`${below}/`])
  expect(await suggest('../')).toEqual([])
})

describe.each(['2025-06-18', '2026-07-28'])('a client of %s', (revision) => {
  it('is told of changes on disk for as long as it listens', async () => {
    const root = createFolder({ 'a.txt': 'A', 'b.txt': 'B' })
    const desk = await FileDesk.open({ root }, { revision })
    const heard: string[] = []
    const [a, b, c, all] = [
      uriOf(root, 'a.txt'),
      uriOf(root, 'b.txt'),
      uriOf(root, 'sub', 'c.txt'),
      uriOf(root),
    ]
    const listenings = []
    for (const uri of [a, c, all]) listenings.push(await desk.client.subscribe(uri, (one) => heard.push(one)))
    appendFileSync(join(root, 'a.txt'), '!')
    await expect.poll(() => heard).toContain(a)
    expect(heard).not.toContain(all)
    writeFileSync(join(root, 'next'), 'new')
    renameSync(join(root, 'next'), join(root, 'a.txt'))
    await expect.poll(() => heard.filter((uri) => uri === a).length).toBeGreaterThan(1)
    await expect.poll(() => heard).toContain(all)
    await desk.say('create_directory', { path: 'sub' })
    await desk.say('write_file', { path: 'sub/c.txt', content: 'C' })
    await expect.poll(() => heard).toContain(c)
    rmSync(join(root, 'sub'), { recursive: true })
    await expect.poll(() => heard.filter((uri) => uri === c).length).toBeGreaterThan(1)
    expect(desk.server.usage.read('maxWatchedFolders')).toBeGreaterThan(0)
    for (const one of listenings) await one.close()
    await expect.poll(() => desk.server.usage.read('maxWatchedFolders')).toBe(0)
    expect(heard).not.toContain(b)
  })
})

it('tells of changes in folders that are one too many to be watched', async () => {
  const root = createFolder({ 'one/a.txt': 'A', 'two/b.txt': 'B' })
  const desk = await FileDesk.open({ root }, {}, { maxWatchedFolders: 1 })
  const watched = () => desk.server.usage.read('maxWatchedFolders')
  const heard: string[] = []
  const uris = [uriOf(root, 'one/a.txt'), uriOf(root, 'two/b.txt')]
  for (const uri of uris) {
    await desk.client.subscribe(uri, (one) => heard.push(one))
    await expect.poll(watched).toBe(1)
  }
  for (const path of ['one/a.txt', 'two/b.txt']) appendFileSync(join(root, path), '!')
  await expect.poll(() => [...new Set(heard)].sort()).toEqual(uris)
  expect(watched()).toBe(1)
})
