import type { Stats } from 'node:fs'
import { openFile } from '../../confined/confine.ts'
import { failure } from '../../confined/explain.ts'
import type { Found } from '../../confined/locate.ts'
import { readAtMost } from '../../confined/read-at-most.ts'
import { MOST_BYTES } from './limits.ts'

export interface Read {
  readonly bytes: Buffer
  /** From before the bytes were read. */
  readonly stats: Stats
}

/** The whole of a file, which no skill may have larger than this. */
export async function readBytes(found: Found): Promise<Read> {
  const file = await openFile(found)
  try {
    const stats = await file.stat()
    const bytes = await readAtMost(file, MOST_BYTES + 1, stats.size)
    if (bytes.length > MOST_BYTES) throw failure('TOO_LARGE')
    return { bytes, stats }
  } finally {
    await file.close()
  }
}
