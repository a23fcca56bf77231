import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { isLeft, takeLock, underLock, writePrivate } from './private-file.ts'

let folder = ''
const path = () => join(folder, 'file')
const lock = () => `${path()}.lock`

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perigee-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A lock of somebody who has died; its time is so many seconds from now. */
function leave(seconds: number): void {
  const time = Date.now() / 1000 + seconds
  writeFileSync(lock(), '')
  utimesSync(lock(), time, time)
}

function holdIntervals(): void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
}

it('a private file can be read and written by its owner, and by nobody else', async () => {
  await writePrivate(path(), 'text')
  expect([statSync(path()).mode & 0o777, readFileSync(path(), 'utf8')]).toEqual([0o600, 'text'])
  expect(readdirSync(folder)).toEqual(['file'])
})

describe('a lock', { timeout: 60_000 }, () => {
  it('that was left behind is taken by one of all who wait for it', async () => {
    let [inside, most] = [0, 0]
    const run = async () => {
      most = Math.max(most, ++inside)
      await new Promise(setImmediate)
      inside -= 1
    }
    for (let round = 0; round < 5; round++) {
      leave(-60)
      await Promise.all(Array.from({ length: 8 }, () => underLock(path(), run, 30_000)))
    }
    expect(most).toBe(1)
    expect(readdirSync(folder)).toEqual([])
  })

  it('that is held is made to look new every second', async () => {
    holdIntervals()
    const release = await takeLock(path(), 0)
    utimesSync(lock(), 1, 1)
    vi.advanceTimersByTime(1000)
    vi.useRealTimers()
    await expect.poll(() => isLeft(statSync(lock()).mtimeMs, 0)).toBe(false)
    await release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('that is let go is looked after no longer', async () => {
    holdIntervals()
    const release = await takeLock(path(), 0)
    expect(vi.getTimerCount()).toBe(1)
    await release()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('that is held for too long is named, and stays', async () => {
    leave(0)
    const run = vi.fn()
    await expect(underLock(path(), run, 50)).rejects.toThrow(`${lock()} has been there for 0.05 s: remove it`)
    expect([run.mock.calls.length, readdirSync(folder)]).toEqual([0, ['file.lock']])
  })

  it('of somebody else stays where it is', async () => {
    await underLock(path(), async () => writeFileSync(lock(), 'somebody else'))
    expect(readFileSync(lock(), 'utf8')).toBe('somebody else')
  })

  it('that is left behind from the future, of a clock that was set back, is taken', async () => {
    leave(3600)
    expect(await underLock(path(), async () => 'done')).toBe('done')
  })

  it('is taken also where somebody has died who was about to take away one that was left behind', async () => {
    leave(-60)
    const time = Date.now() / 1000 - 50
    const claim = `${lock()}.${Math.trunc(statSync(lock()).mtimeMs)}`
    writeFileSync(claim, '')
    utimesSync(claim, time, time)
    expect(await underLock(path(), async () => 'done')).toBe('done')
    expect(readdirSync(folder)).toEqual([])
  })
})

it('a lock is left behind when it is older than three seconds, or so far ahead for as long as somebody waits', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 10_000 })
  onTestFinished(() => void vi.useRealTimers())
  expect([isLeft(7000, 0), isLeft(6999, 0)]).toEqual([false, true])
  expect([isLeft(13_000, 3000), isLeft(13_001, 3000), isLeft(13_001, 2999)]).toEqual([false, true, false])
})
