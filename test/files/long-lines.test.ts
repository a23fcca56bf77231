import { expect, it } from 'vitest'
import { createFolder, FileDesk } from './desk.ts'

interface Found {
  readonly matches: readonly { readonly path: string; readonly line: number; readonly text: string }[]
}

it.each([9_000, 20_000, 100_000, 240_000])(
  'finds words after %i letters of a line, and shows them',
  async (before) => {
    const line = `${'x'.repeat(before)}a Needle here${'y'.repeat(70_000)}`
    const desk = await FileDesk.open({ root: createFolder({ 'a.txt': `first\n${line}\nlast` }) })
    const around = `…${'x'.repeat(98)}a Needle here${'y'.repeat(189)}…`
    for (const query of [{ text: 'Needle' }, { text: 'needle', ignoreCase: true }]) {
      const { matches } = await desk.data<Found>('search_files', query)
      expect(matches).toEqual([{ path: 'a.txt', line: 2, text: around }])
    }
  },
)

it('finds a long text that repeats itself, and not what only begins or ends like it', async () => {
  const text = `${'a'.repeat(499)}b${'a'.repeat(499)}`
  const [long, near] = ['a'.repeat(100_000), `${text.slice(1)}c${text.slice(0, -1)}c`]
  const root = createFolder({ 'a.txt': `${near}\n${long}${text}${long}\n${long}`, 'b.txt': `${near}${long}` })
  const desk = await FileDesk.open({ root })
  for (const query of [{ text }, { text: text.toUpperCase(), ignoreCase: true }]) {
    const { matches } = await desk.data<Found>('search_files', query)
    expect(matches.map(({ path, line }) => `${path}:${line}`)).toEqual(['a.txt:2'])
  }
})

it('shows the beginning of a line where what was found stands there', async () => {
  const desk = await FileDesk.open({ root: createFolder({ 'a.txt': `needle ${'x'.repeat(400)}` }) })
  const { matches } = await desk.data<Found>('search_files', { text: 'needle' })
  expect(matches[0]?.text).toBe(`needle ${'x'.repeat(293)}…`)
})

it('says what is wrong with a pattern, and on which file it takes too long', async () => {
  const desk = await FileDesk.open({ root: createFolder({ 'a.txt': 'a'.repeat(500), 'b.txt': 'b' }) })
  const search = (pattern: string) => desk.say('search_files', { pattern })
  expect(await search('(')).toMatch(
    /^error: pattern: expected a regular expression .* got "\(": Unterminated group$/,
  )
  expect(await search('(a+)+$b')).toMatch(/^error: pattern: it takes too long on a line of a\.txt\. /)
  expect(await desk.say('search_files', { name: 'b.*', text: 'nowhere' })).toBe('Nothing was found in 1 file')
})

it('takes a brace for itself after a backslash', async () => {
  const desk = await FileDesk.open({ root: createFolder({ '{a,b}.txt': '', 'a.txt': '' }) })
  const { matches } = await desk.data<Found>('search_files', { name: '\\{a,b\\}.txt' })
  expect(matches.map(({ path }) => path)).toEqual(['{a,b}.txt'])
})
