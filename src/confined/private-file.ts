import { constants } from 'node:fs'
import { mkdir, open, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { readAtMost } from './read-at-most.ts'

const [PAUSE_MS, PATIENCE_MS, BEAT_MS] = [25, 5000, 1000]

/** A lock that is as old as this was left behind by somebody who has died. */
const STALE_MS = 3000

let written = 0

/** Writes a file that only its owner can read, as a whole or not at all. */
export async function writePrivate(path: string, text: string): Promise<void> {
  const beside = `${path}.${Date.now().toString(36)}-${++written}-${crypto.randomUUID().slice(0, 8)}`
  try {
    await writeFile(beside, text, { mode: 0o600, flag: 'wx' })
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

/** Runs while no other process that asks in this way does; the others wait for it for a while. */
export async function underLock<Result>(
  path: string,
  run: () => Promise<Result>,
  patienceMs: number = PATIENCE_MS,
): Promise<Result> {
  const release = await takeLock(path, patienceMs)
  try {
    return await run()
  } finally {
    await release()
  }
}

/** Gives what lets go of it; throws where that is not to be had, or nothing can be written there. */
export async function takeLock(path: string, patienceMs: number): Promise<() => Promise<void>> {
  const [lock, id] = [`${path}.lock`, crypto.randomUUID()]
  for (let waited = 0; !(await create(lock, id)); waited += PAUSE_MS) {
    await clear(lock, waited)
    if (waited >= patienceMs) throw new Error(`${lock} has been there for ${patienceMs / 1000} s: remove it`)
    await setTimeout(PAUSE_MS)
  }
  const beat = setInterval(() => void utimes(lock, new Date(), new Date()).catch(() => {}), BEAT_MS) // It may be gone.
  return async () => {
    clearInterval(beat)
    const held = await readLock(lock, id.length).catch(() => undefined) // Whoever took this one for dead has another.
    if (held === id) await rm(lock, { force: true })
  }
}

/** No more of it than a lock has, since something without an end may stand in its place. */
async function readLock(lock: string, length: number): Promise<string> {
  const file = await open(lock, constants.O_RDONLY | constants.O_NONBLOCK) // Windows has no such thing, and opens it all the same.
  try {
    return (await readAtMost(file, length + 1)).toString()
  } finally {
    await file.close()
  }
}

/** Makes the folder of a file, which only its owner can look into where it was not there. */
export async function makeFolderOf(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
}

async function create(path: string, text: string): Promise<boolean> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return undefined
    throw error
  })
  if (file === undefined) return false
  try {
    await file.writeFile(text)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
  return true
}

/** Of all who find a lock left behind one takes it away, and only the one that was looked at. */
async function clear(lock: string, waited: number): Promise<void> {
  const found = await timeOf(lock)
  if (!isLeft(found, waited)) return
  const claim = `${lock}.${Math.trunc(found)}`
  if (!(await create(claim, ''))) {
    if (isLeft(await timeOf(claim), waited)) await rm(claim, { force: true })
    return
  }
  try {
    if ((await timeOf(lock)) === found) await rm(lock, { force: true })
  } finally {
    await rm(claim, { force: true })
  }
}

/** Not a number where it is gone. */
async function timeOf(path: string): Promise<number> {
  const { mtimeMs } = await stat(path).catch(() => GONE)
  return mtimeMs
}

const GONE = { mtimeMs: Number.NaN }

/** Whoever lives would have corrected a time that has not come yet, of a clock that was set back. */
export function isLeft(time: number, waited: number): boolean {
  const age = Date.now() - time
  return age > STALE_MS || (age < -STALE_MS && waited >= STALE_MS)
}
