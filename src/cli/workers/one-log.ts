import type { Readable, Writable } from 'node:stream'

/** A line that is longer is written in parts. */
const MAX_LINE = 64 * 1024

/** Hands on whole lines, so that those of several processes do not get into each other. */
export function handOnLines(from: Readable | null | undefined, to: Writable): void {
  let begun = ''
  from?.setEncoding('utf8').on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1
    if (end > 0) to.write(begun + text.slice(0, end))
    begun = end > 0 ? text.slice(end) : begun + text
    if (begun.length <= MAX_LINE) return
    to.write(`${begun}\n`)
    begun = ''
  })
  from?.on('end', () => {
    if (begun !== '') to.write(`${begun}\n`)
  })
}
