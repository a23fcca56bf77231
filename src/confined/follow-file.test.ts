import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { followFile } from './follow-file.ts'

function follow(text?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'follow-'))
  const path = join(folder, 'followed')
  if (text !== undefined) writeFileSync(path, text)
  const changed = vi.fn()
  const stop = followFile(path, changed)
  onTestFinished(() => {
    stop()
    rmSync(folder, { recursive: true })
  })
  return { path, changed, stop }
}

it('tells of what is changed in the very turn in which it is followed', async () => {
  const { path, changed } = follow('before')
  writeFileSync(path, 'and after')
  await expect.poll(() => changed.mock.calls.length, { timeout: 10_000 }).toBe(1)
})

it('tells of a file that comes and of one that goes, once each', async () => {
  const { path, changed } = follow()
  writeFileSync(path, 'here')
  await expect.poll(() => changed.mock.calls.length, { timeout: 10_000 }).toBe(1)
  rmSync(path)
  await expect.poll(() => changed.mock.calls.length, { timeout: 10_000 }).toBe(2)
})

it('tells of nothing any more once it is stopped', async () => {
  vi.useFakeTimers()
  const { path, changed, stop } = follow('before')
  stop()
  writeFileSync(path, 'and after')
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
  expect(changed).not.toHaveBeenCalled()
})
