import { mkdir, open, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'

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
  const lock = `${path}.lock`
  for (let waited = 0; !(await take(lock)); waited += PAUSE_MS) {
    if (waited >= patienceMs) throw new Error(`${lock} has been there for ${patienceMs / 1000} s: remove it`)
    await setTimeout(PAUSE_MS)
  }
  const beat = setInterval(() => void utimes(lock, new Date(), new Date()).catch(() => {}), BEAT_MS) // It may be gone.
  try {
    return await run()
  } finally {
    clearInterval(beat)
    await rm(lock, { force: true })
  }
}

/** Makes the folder of a file, which only its owner can look into where it was not there. */
export async function makeFolderOf(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
}

async function take(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const { mtimeMs = Number.POSITIVE_INFINITY } = await stat(lock).catch(() => ({}) as { mtimeMs?: number })
    if (Date.now() - mtimeMs > STALE_MS) await rm(lock, { force: true })
    return false
  }
}
