import { isToldWhole, type LineSign, signsBetween } from '../../contract/line-diff.ts'

/** Lines that follow each other, with their ends, of which the same is said. */
export interface LineRun {
  readonly sign: LineSign
  readonly text: string
  readonly lines: number
}

/** After lines of so many letters whoever else calls has their turn; each line counts as some more. */
const LETTERS_A_TURN = 1_000_000
const LETTERS_FOR_LINE = 32

const NEWLINE = 10

/** Stands for a line that the text before does not have. */
const NOWHERE = -1

export function countLines(text: string): number {
  let count = text === '' || text.endsWith('\n') ? 0 : 1
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === NEWLINE) count++
  return count
}

/** How the lines of one text became those of another. */
export async function runsBetween(before: string, after: string): Promise<readonly LineRun[]> {
  const [gone, added] = [countLines(before), countLines(after)]
  if (isToldWhole(gone, added)) {
    const runs: readonly LineRun[] = [
      { sign: '-', text: before, lines: gone },
      { sign: '+', text: after, lines: added },
    ]
    return runs.filter(({ lines }) => lines > 0)
  }
  // Numbers are compared at once, however long the lines are that they stand for.
  const numbers = new Map<string, number>()
  const old = await readLines(before, (line) => {
    const number = numbers.get(line) ?? numbers.size
    numbers.set(line, number)
    return number
  })
  const now = await readLines(after, (line) => numbers.get(line) ?? NOWHERE)
  await new Promise(setImmediate) // To compare all pairs of them takes a turn of its own.
  return joinSigns(old, now)
}

interface NumberedLines {
  readonly text: string
  /** Where each begins, and where the last one ends. */
  readonly starts: readonly number[]
  /** What stands for each: the same for the same line. */
  readonly numbers: readonly number[]
}

async function readLines(text: string, numberOf: (line: string) => number): Promise<NumberedLines> {
  const starts = [0]
  const numbers: number[] = []
  let read = 0
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at) + 1 || text.length
    numbers.push(numberOf(text.slice(at, end)))
    starts.push(end)
    read += end - at + LETTERS_FOR_LINE
    at = end
    if (read < LETTERS_A_TURN) continue
    await new Promise(setImmediate)
    read = 0
  }
  return { text, starts, numbers }
}

/** Lines of the same sign that follow each other are one run. */
function joinSigns(old: NumberedLines, now: NumberedLines): readonly LineRun[] {
  const signs = signsBetween(old.numbers, now.numbers)
  const runs: LineRun[] = []
  let [at, to] = [0, 0]
  for (let first = 0; first < signs.length; ) {
    const sign = signs[first] ?? ' '
    let last = first
    while (signs[last] === sign) last++
    const lines = last - first
    runs.push({ sign, text: sign === '+' ? cut(now, to, lines) : cut(old, at, lines), lines })
    if (sign !== '+') at += lines
    if (sign !== '-') to += lines
    first = last
  }
  return runs
}

function cut({ text, starts }: NumberedLines, first: number, count: number): string {
  return text.slice(starts[first], starts[first + count])
}
