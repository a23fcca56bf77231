import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openDirectory } from '../../confined/confine.ts'
import { Effort } from './effort.ts'
import { IgnoreRules } from './ignore-rules.ts'

async function openRules(text: string, effort: Effort): Promise<IgnoreRules> {
  const root = mkdtempSync(join(tmpdir(), 'files-rules-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  writeFileSync(join(root, '.gitignore'), text)
  const place = { root, path: root }
  const directory = await openDirectory(place)
  try {
    return await IgnoreRules.NONE.enter({ directory, place, path: '' }, effort)
  } finally {
    await directory.close()
  }
}

it('lets others have their turns while one name is held against many rules', async () => {
  const effort = new Effort()
  const rules = await openRules(`*${'[ab]'.repeat(120)}b\n`.repeat(130), effort)
  let turns = 0
  let isDone = false
  const deciding = rules.ignores({ path: 'a'.repeat(250), kind: 'file' }, effort).finally(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise(setImmediate)
    turns++
  }
  expect(await deciding).toBe(false)
  expect(turns).toBeGreaterThan(10)
  expect(effort.isSpent).toBe(false)
})
