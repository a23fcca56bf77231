import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SCRIPT = join(import.meta.dirname, '..', '..', 'scripts', 'dev-storm.mjs')

it('loses no client and no call of theirs while a server is changed, and broken, again and again', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, '--edits', '10', '--broken', '2'], {
    encoding: 'utf8',
    timeout: 600_000,
  })
  expect(stderr).toBe('')
  expect(stdout).toContain('nothing was lost')
  expect(status).toBe(0)
}, 600_000)
