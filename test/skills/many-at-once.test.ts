import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestClient } from '../../src/index.ts'
import { Library } from '../../src/modules/skills/library.ts'
import { listSkills, readContents, Shelf } from './shelf.ts'

const MiB = 1024 * 1024
const ANN = { owner: 'ann' }

let shelf: Shelf

beforeEach(async () => {
  shelf = await Shelf.create()
  for (const name of ['pdf', 'csv']) await shelf.writeSkill(name)
})

afterEach(() => shelf[Symbol.asyncDispose]())

const times = <T>(count: number, make: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)))

it('is walked through twice for all who look at once: for the first, and for those who come meanwhile', async () => {
  const library = new Library(shelf.root, () => undefined)
  expect(new Set(await times(300, () => library.look())).size).toBe(2)
  expect(new Set(await times(300, () => library.lookFor('pdf/SKILL.md', ANN))).size).toBe(2)
})

it('is looked at anew by whoever comes after something was written, also while others look', async () => {
  const library = new Library(shelf.root, () => undefined)
  const before = library.look()
  await shelf.writeSkill('new')
  const [, after] = await Promise.all([before, library.look()])
  expect([...after.skills.keys()].sort()).toEqual(['csv/SKILL.md', 'new/SKILL.md', 'pdf/SKILL.md'])
})

it('has so many folders looked at at once', async () => {
  const server = shelf.serve({ budgets: { maxFileWalks: 3 } })
  const client = await createTestClient(server)
  const refused = await times(50, (at) =>
    client.request('resources/directory/read', { uri: `skill://none-${at}` }).catch(() => 'refused'),
  )
  expect(new Set(refused)).toEqual(new Set(['refused']))
  expect(server.usage.read('maxFileWalks')).toBe(3)
})

it('has a burst of reads worked off, a few files at a time', async () => {
  await shelf.write('pdf/large.txt', 'x'.repeat(MiB))
  const server = shelf.serve({ budgets: { maxSkillReadingBytes: 40 * MiB } })
  const client = await createTestClient(server)
  const read = await times(30, () => readContents(client, 'skill://pdf/large.txt'))
  expect(new Set(read.map(({ text }) => text?.length))).toEqual(new Set([MiB]))
  expect(server.usage.read('maxSkillReadingBytes')).toBe(32 * MiB)
})

it('answers all who list at once, and shows what was written before they did', async () => {
  const client = await shelf.connect()
  const early = times(20, () => listSkills(client))
  await shelf.writeSkill('new')
  const late = await times(20, () => listSkills(client))
  for (const list of late) expect(list.map(({ uri }) => uri)).toContain('skill://new/SKILL.md')
  await early
})
