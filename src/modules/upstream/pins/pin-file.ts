import { underLock, writePrivate } from '../../../confined/private-file.ts'
import { readPlainFile } from '../../../confined/read-plain-file.ts'
import { type PinBook, parseBook, printBook } from './pin-book.ts'

/** What many servers with many tools may come to. */
const MOST_BYTES = 256 * 1024 * 1024

/** Reads, changes and writes it while nobody else does. */
export function changeBook(path: string, change: (book: PinBook) => PinBook): Promise<PinBook> {
  return underLock(path, async () => {
    const before = readBook(path)
    const after = change(before)
    if (after !== before) await writePrivate(path, printBook(after))
    return after
  })
}

export function readBook(path: string): PinBook {
  return bookIn(path, textOf(path))
}

/** Undefined where there is none. */
export function textOf(path: string): string | undefined {
  try {
    return readPlainFile(path, MOST_BYTES)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export function bookIn(path: string, text: string | undefined): PinBook {
  try {
    return text === undefined ? {} : parseBook(text)
  } catch (error) {
    throw new Error(`${path} is no file of pinned tools: ${(error as Error).message}`)
  }
}
