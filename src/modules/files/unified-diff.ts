import { diffLines } from '../../contract/line-diff.ts'

/** So many lines that have not changed are shown around those that have. */
const AROUND = 3

/** Stands after the last line of a text that does not end it, so that it differs from one that does. */
const UNENDED = '\0 unended'

/** The changes of a file as `diff -u` prints them; empty where there are none. */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return ''
  const lines = linesOf(before, after)
  const hunks = printHunks(lines, hunksIn(lines))
  return [`--- a/${path}`, `+++ b/${path}`, ...hunks].join('\n')
}

/** A text without any line would be taken for one with an empty line. */
function linesOf(before: string, after: string): readonly string[] {
  if (before === '') return markEnd(after).map((line) => `+${line}`)
  if (after === '') return markEnd(before).map((line) => `-${line}`)
  return diffLines(markEnd(before).join('\n'), markEnd(after).join('\n'))
}

function markEnd(text: string): readonly string[] {
  return (text.endsWith('\n') ? text.slice(0, -1) : text + UNENDED).split('\n')
}

interface Hunk {
  readonly start: number
  readonly end: number
}

/** What has changed, with what is around it; where that would meet, it is one. */
function hunksIn(lines: readonly string[]): readonly Hunk[] {
  const hunks: { start: number; end: number }[] = []
  for (const [index, line] of lines.entries()) {
    if (line.startsWith(' ')) continue
    const last = hunks.at(-1)
    const end = Math.min(lines.length, index + 1 + AROUND)
    if (last !== undefined && index - AROUND <= last.end) last.end = end
    else hunks.push({ start: Math.max(0, index - AROUND), end })
  }
  return hunks
}

function printHunks(lines: readonly string[], hunks: readonly Hunk[]): readonly string[] {
  const passed = { '-': 0, '+': 0 }
  let at = 0
  return hunks.map(({ start, end }) => {
    for (; at < start; at++) pass(lines[at], passed)
    const first = { ...passed }
    for (; at < end; at++) pass(lines[at], passed)
    const range = (side: '-' | '+') => printRange(first[side], passed[side] - first[side])
    const shown = lines.slice(start, end).map(printLine)
    return [`@@ -${range('-')} +${range('+')} @@`, ...shown].join('\n')
  })
}

/** A line stands in the text before, in the one after, or in both. */
function pass(line: string | undefined, passed: { '-': number; '+': number }): void {
  if (line?.[0] !== '+') passed['-']++
  if (line?.[0] !== '-') passed['+']++
}

function printRange(before: number, count: number): string {
  if (count === 1) return `${before + 1}`
  return `${count === 0 ? before : before + 1},${count}`
}

function printLine(line: string): string {
  return line.endsWith(UNENDED) ? `${line.slice(0, -UNENDED.length)}\n\\ No newline at end of file` : line
}
