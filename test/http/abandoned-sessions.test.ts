import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('two thousand abandoned sessions cost little', async () => {
  const script = join(import.meta.dirname, 'abandon-sessions.mjs')
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script])
  const { perSession, withNotice } = JSON.parse(stdout)
  expect(perSession).toBeLessThan(20)
  expect(withNotice).toBeLessThan(30)
})
