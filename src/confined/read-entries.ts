import type { Dir, Dirent } from 'node:fs'
import { opendir, readdir, stat } from 'node:fs/promises'
import type { Directory } from './confine.ts'

/** A folder whose own file is longer than this has some thousand names. */
const WIDE_BYTES = 32 * 1024

/** How many names of a wide one are taken between two turns of the loop. */
const ATATIME = 1000

/** All that is in a folder; while a wide one is read, others have their turns. */
export async function readEntries({ path }: Directory): Promise<Dirent[]> {
  const { size } = await stat(path)
  if (size < WIDE_BYTES) return readdir(path, { withFileTypes: true })
  const folder = await opendir(path, { bufferSize: ATATIME })
  try {
    return await readAll(folder)
  } finally {
    await folder.close()
  }
}

/** What is waited for comes with as many as are taken at once, which are there without waiting. */
async function readAll(folder: Dir): Promise<Dirent[]> {
  const entries: Dirent[] = []
  for (let entry = await folder.read(); entry !== null; entry = await folder.read()) {
    entries.push(entry)
    for (let taken = 1; taken < ATATIME; taken++) {
      const next = folder.readSync()
      if (next === null) return entries
      entries.push(next)
    }
  }
  return entries
}
