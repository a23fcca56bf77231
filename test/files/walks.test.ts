import { expect, it } from 'vitest'
import { createFolder, FileDesk } from './desk.ts'

const COMPLETION = {
  ref: { type: 'ref/resource', uri: 'file:///{+path}' },
  argument: { name: 'path', value: 'a' },
}

it.each<[string, (desk: FileDesk) => Promise<unknown>]>([
  ['list_directory', (desk) => desk.say('list_directory', { path: '.' })],
  ['directory_tree', (desk) => desk.say('directory_tree')],
  ['resources/read', ({ client }) => client.read('file:///.')],
  ['completion/complete', ({ client }) => client.request('completion/complete', COMPLETION)],
])('looks into a few folders at a time, however many ask at once: %s', async (_which, look) => {
  const desk = await FileDesk.open({ root: createFolder({ 'a.txt': '' }) }, {}, { maxFileWalks: 2 })
  const seen = await Promise.all(Array.from({ length: 20 }, () => look(desk)))
  for (const one of seen) expect(JSON.stringify(one)).toContain('a.txt')
  expect(desk.server.usage.read('maxFileWalks')).toBe(2)
})

it('reads a few files at a time as resources, too', async () => {
  const root = createFolder({ 'a.txt': 'A' })
  const desk = await FileDesk.open({ root }, {}, { maxReadingBytes: 2 * 1024 * 1024 })
  await Promise.all(Array.from({ length: 20 }, () => desk.client.read('file:///a.txt')))
  expect(desk.server.usage.read('maxReadingBytes')).toBe(2 * 1024 * 1024)
})

it('shows the first names of a wide folder as a resource, in their order', async () => {
  const names = Array.from({ length: 2500 }, (_, n) => `${(n * 7919) % 2500}`.padStart(4, '0'))
  const desk = await FileDesk.open({
    root: createFolder(Object.fromEntries(names.map((name) => [`wide/${name}`, '']))),
  })
  const { contents } = await desk.client.read('file:///wide')
  expect(contents).toMatchObject([{ text: names.toSorted().slice(0, 1000).join('\n') }])
})
