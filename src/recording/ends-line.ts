import { closeSync, openSync, readSync } from 'node:fs'

/** Whether a file of so many bytes ends with a whole line: a full disk, or whoever was killed, leaves half of one. */
export function endsLine(path: string, bytes: number): boolean {
  const file = openSync(path, 'r')
  try {
    const last = Buffer.alloc(1)
    return readSync(file, last, 0, 1, bytes - 1) === 1 && last.toString() === '\n'
  } finally {
    closeSync(file)
  }
}
