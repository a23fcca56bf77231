import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const SCRIPT = join(import.meta.dirname, '..', '..', 'scripts', 'endurance.mjs')

/** The short form of `npm run endurance`, which ends with another code where anything was left or has grown. */
it('clients, upstreams and gateways that are killed leave nobody behind, and nothing grows', {
  timeout: 300_000,
}, async ({ skip }) => {
  skip(process.platform !== 'linux', 'it looks for processes in /proc')
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, '--rounds', '40'])
  expect(stdout).toContain('held  0 processes are left')
  expect(stdout).toContain('6 passed, 0 failed')
})
