import { changedPart } from './changed-part.ts'
import { countLines, type LineRun, runsBetween } from './line-runs.ts'

/** So many lines that have not changed are shown around those that have. */
const AROUND = 3

/** A model is shown so much of a diff: what is replaced everywhere can be as long as the file, twice. */
const MOST_SHOWN = 100_000

/** The changes of a file as `diff -u` prints them, or as many of them as are shown; empty where there are none. */
export async function unifiedDiff(path: string, before: string, after: string): Promise<string> {
  if (before === after) return ''
  const { start, oldEnd, newEnd } = changedPart(before, after)
  const middle = await runsBetween(before.slice(start, oldEnd), after.slice(start, newEnd))
  const runs = [sameRun(before.slice(0, start)), ...middle, sameRun(before.slice(oldEnd))]
  const diff = new ShownText(`--- a/${path}\n+++ b/${path}`)
  const passed = { '-': 0, '+': 0 }
  for (const { skipped, shown } of hunksIn(runs)) {
    passed['-'] += skipped
    passed['+'] += skipped
    const range = (side: '-' | '+') => printRange(passed[side], countOf(shown, side))
    diff.add(`\n@@ -${range('-')} +${range('+')} @@`)
    for (const run of shown) diff.addRun(run)
    passed['-'] += countOf(shown, '-')
    passed['+'] += countOf(shown, '+')
  }
  return diff.print()
}

interface Hunk {
  /** How many lines both texts have between the hunk before and this one. */
  readonly skipped: number
  readonly shown: LineRun[]
}

/** What has changed, with what is around it; where that would meet, it is one. */
function hunksIn(runs: readonly LineRun[]): readonly Hunk[] {
  const hunks: Hunk[] = []
  for (const [index, run] of runs.entries()) {
    const last = hunks.at(-1)
    const isLast = index === runs.length - 1
    if (last !== undefined && (run.sign !== ' ' || (run.lines <= 2 * AROUND && !isLast))) {
      last.shown.push(run)
      continue
    }
    const head = last === undefined ? 0 : Math.min(AROUND, run.lines)
    if (head > 0) last?.shown.push(sameRun(firstLines(run.text, head)))
    if (isLast) continue
    const tail = sameRun(lastLines(run.text, AROUND))
    hunks.push({ skipped: run.lines - head - tail.lines, shown: tail.lines > 0 ? [tail] : [] })
  }
  return hunks
}

function sameRun(text: string): LineRun {
  return { sign: ' ', text, lines: countLines(text) }
}

function firstLines(text: string, count: number): string {
  let end = 0
  for (let line = 0; line < count; line++) end = text.indexOf('\n', end) + 1 || text.length
  return text.slice(0, end)
}

/** Of a text whose last line is ended, as it is wherever something follows. */
function lastLines(text: string, count: number): string {
  let start = text.length
  for (let line = 0; line < count && start > 0; line++) start = text.slice(0, start - 1).lastIndexOf('\n') + 1
  return text.slice(start)
}

/** A line stands in the text before, in the one after, or in both. */
function countOf(runs: readonly LineRun[], side: '-' | '+'): number {
  return runs.reduce((count, { sign, lines }) => (sign === ' ' || sign === side ? count + lines : count), 0)
}

function printRange(before: number, count: number): string {
  if (count === 1) return `${before + 1}`
  return `${count === 0 ? before : before + 1},${count}`
}

const UNENDED = '\n\\ No newline at end of file'

/** Keeps as much of a text as is shown, and counts the rest. */
class ShownText {
  #kept: string
  #length: number

  constructor(start: string) {
    this.#kept = start
    this.#length = start.length
  }

  add(text: string, length = text.length): void {
    if (this.#kept.length <= MOST_SHOWN) this.#kept += text
    this.#length += length
  }

  /** Of a long run only the beginning is printed, which is more than is kept. */
  addRun({ sign, text, lines }: LineRun): void {
    const isEnded = text.endsWith('\n')
    const length = lines + text.length + (isEnded ? 0 : 1 + UNENDED.length)
    if (this.#kept.length > MOST_SHOWN) return this.add('', length)
    const shown = text.slice(0, Math.min(MOST_SHOWN + 2, text.length - (isEnded ? 1 : 0)))
    this.add(`\n${sign}${shown.replaceAll('\n', `\n${sign}`)}${isEnded ? '' : UNENDED}`, length)
  }

  print(): string {
    if (this.#length <= MOST_SHOWN) return this.#kept
    const shown = this.#kept.slice(0, this.#kept.lastIndexOf('\n', MOST_SHOWN))
    return `${shown}\n… and ${this.#length - shown.length} more characters of changes`
  }
}
