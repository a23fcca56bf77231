import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Effort } from './effort.ts'
import { walk } from './walk.ts'

function createTree(): string {
  const root = mkdtempSync(join(tmpdir(), 'files-walk-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'b', 'bb'), { recursive: true })
  for (const path of ['.gitignore', 'a.log', 'b/a.log', 'b/bb/c', 'b/d.log', 'b/e', 'f.log', 'g'])
    writeFileSync(join(root, path), '*.log\n')
  return root
}

function createSpent(): Effort {
  const effort = new Effort()
  effort.count(Number.MAX_SAFE_INTEGER)
  return effort
}

it('that has cost too much stops at every entry, and each next one has gone further', async () => {
  const root = createTree()
  const seen: string[] = []
  let from: string | undefined
  for (let pages = 0; pages < 20; pages++) {
    let rows = 0
    let next: string | undefined
    for await (const { entries, at } of walk(
      { root, path: root },
      { from, ignoring: true, effort: createSpent() },
    )) {
      if (rows++ > 0) {
        next = at
        break
      }
      seen.push(...entries.map(({ path }) => path))
    }
    if (next === undefined) break
    expect(next === from).toBe(false)
    from = next
  }
  expect(seen).toEqual(['.gitignore', 'b', 'b/bb', 'b/bb/c', 'b/e', 'g'])
})

it('tells where it is while all it meets is left out', async () => {
  const root = mkdtempSync(join(tmpdir(), 'files-walk-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  writeFileSync(join(root, '.gitignore'), '*')
  for (let count = 100; count < 300; count++) writeFileSync(join(root, `f${count}`), '')
  const places: string[] = []
  for await (const { entries, at } of walk({ root, path: root }, { ignoring: true }))
    places.push(`${at} ${entries.length}`)
  expect(places).toEqual(['f162 0', 'f226 0', 'f290 0'])
})
