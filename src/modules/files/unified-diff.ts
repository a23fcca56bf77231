import { diffLines } from '../../contract/line-diff.ts'

/** So many lines that have not changed are shown around those that have. */
const AROUND = 3

/** Stands after the last line of a text that does not end it, so that it differs from one that does. */
const UNENDED = '\0 unended'

/** The changes of a file as `diff -u` prints them; empty where there are none. */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return ''
  const lines = linesOf(before, after)
  const hunks = hunksIn(lines).map((hunk) => printHunk(lines, hunk))
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

function printHunk(lines: readonly string[], { start, end }: Hunk): string {
  const shown = lines.slice(start, end)
  const range = (other: '+' | '-') => {
    const count = shown.filter((line) => line[0] !== other).length
    const before = lines.slice(0, start).filter((line) => line[0] !== other).length
    const first = count === 0 ? before : before + 1
    return count === 1 ? `${first}` : `${first},${count}`
  }
  return [`@@ -${range('+')} +${range('-')} @@`, ...shown.map(printLine)].join('\n')
}

function printLine(line: string): string {
  return line.endsWith(UNENDED) ? `${line.slice(0, -UNENDED.length)}\n\\ No newline at end of file` : line
}
