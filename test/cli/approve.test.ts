import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { printBook } from '../../src/modules/upstream/pins/pin-book.ts'
import { readBook } from '../../src/modules/upstream/pins/pin-file.ts'
import { PERIGEE } from './run.ts'
import { needTerminal, typeAt } from './terminal.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'perigee-approve-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(needTerminal)

const tool = (hash: string) => ({
  hash: 'sha256:a',
  approved: '2026-01-01T00:00:00Z',
  contract: { name: 't', description: 'good' },
  changed: { hash, seen: '2026-01-02T00:00:00Z', contract: { name: 't', description: hash } },
})

/** Approves while the first tool of the two becomes something else. */
async function approving(...names: readonly string[]) {
  const path = join(folder, 'pins.json')
  writeFileSync(path, printBook({ u: { first: tool('sha256:b'), second: tool('sha256:b') } }))
  const typed = await typeAt(
    [process.execPath, PERIGEE, 'gateway', 'approve', ...names, '--pins', path],
    folder,
    [
      [
        'now? [y/N] ',
        () => {
          writeFileSync(path, printBook({ u: { first: tool('sha256:evil'), second: tool('sha256:b') } }))
          return 'y\n'
        },
      ],
    ],
  )
  return { ...typed, tools: readBook(path)['u'] }
}

it('a tool that changes while somebody looks at it is not approved, and not said to be', async () => {
  const { shown, status, tools } = await approving('u/first')
  expect(shown).not.toContain('Approved')
  expect(shown).toContain('u/first: not approved, since it is no longer what was shown here')
  expect(shown).toContain(`perigee gateway approve --pins ${join(folder, 'pins.json')}`)
  expect(status).toBe(1)
  expect(tools?.['first']?.hash).toBe('sha256:a')
})

it('others that stay as they are shown are approved', async () => {
  const { shown, status, tools } = await approving('u')
  expect(shown).toContain('Approved: u/second\n')
  expect(shown).toContain('u/first: not approved')
  expect(status).toBe(1)
  expect(tools?.['second']?.hash).toBe('sha256:b')
})
