import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** More than anybody writes by hand. */
const MOST_BYTES = 16 * 1024 * 1024

/**
 * The text of a file that others may put something else in the place of: what is a device or a pipe would be waited for
 * or read for ever. Throws where there is none, where it is something else, and where it is too long.
 */
export function readPlainFile(path: string, mostBytes: number = MOST_BYTES): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK) // Windows has no such thing, and opens it all the same.
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw new Error(`${path} is ${stats.isDirectory() ? 'a folder' : 'no file'}`)
    if (stats.size > mostBytes) throw new Error(`${path} has more than ${mostBytes} bytes`)
    return readUpTo(file, stats.size)
  } finally {
    closeSync(file)
  }
}

/** What is written to it meanwhile is for the next time. */
function readUpTo(file: number, size: number): string {
  const bytes = Buffer.allocUnsafe(size)
  let length = 0
  while (length < size) {
    const read = readSync(file, bytes, length, size - length, null)
    if (read === 0) break
    length += read
  }
  return bytes.toString('utf8', 0, length)
}
