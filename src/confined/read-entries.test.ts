import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readEntries } from './read-entries.ts'

it.each([0, 3, 3000])('a folder of %s files is read, however wide it is', async (count) => {
  const path = mkdtempSync(join(tmpdir(), 'perigee-wide-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  for (let n = 0; n < count; n++) writeFileSync(join(path, `${n}-${'x'.repeat(100)}`), '')
  mkdirSync(join(path, 'folder'))
  symlinkSync('nowhere', join(path, 'link'))
  const entries = await readEntries({ path, close: async () => {} })
  expect(entries.map(({ name }) => name).sort()).toEqual(readdirSync(path).sort())
  expect(entries.filter((entry) => !entry.isFile()).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['folder', 'link']),
  )
})
