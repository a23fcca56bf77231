import { boundPattern } from '../../schema/json/pattern/bounded.ts'
import { findFirst } from './find-text.ts'

/** Finds what is looked for in a line. */
export interface LineSearch {
  /** Whether a file can have it at all, by a look at its bytes. */
  mayBeIn(bytes: Buffer): boolean
  /** At which letter of a line it stands, or somewhere in it: 0; undefined where it does not. */
  find(line: string): number | undefined
  /** A longer line is looked at so far. */
  readonly longest: number
}

/** What one line may take, which is some milliseconds at worst. */
const STEPS_A_LINE = 200_000

/** How many letters of a line are looked at. What is found at once may stand far behind: files without line ends are common. */
export const LONGEST_LINE = { text: 250_000, pattern: 10_000 }

/** An expression that takes too long on a line. */
export class SlowPattern extends Error {}

export interface LineQuery {
  readonly text?: string | undefined
  readonly pattern?: string | undefined
  readonly ignoreCase: boolean
}

/** Undefined where no text is looked for. */
export function lineSearch({ text, pattern, ignoreCase }: LineQuery): LineSearch | undefined {
  if (text !== undefined && pattern !== undefined)
    throw new Error('expected one of text and pattern, got both')
  if (pattern !== undefined && ignoreCase)
    throw new Error('ignoreCase is for text; in a pattern, write both letters: [Ee]rror')
  if (pattern !== undefined) return byPattern(pattern)
  if (text === undefined) return undefined
  if (/[\r\n]/.test(text)) throw new Error('text: expected a part of one line, got several lines')
  return ignoreCase ? byLetters(text) : byText(text)
}

/** A file has a text only if it has its beginning, which is found soon also where the text repeats itself. */
const BEGINNING_BYTES = 64

function byText(text: string): LineSearch {
  const beginning = Buffer.from(text).subarray(0, BEGINNING_BYTES)
  const findText = findFirst(text)
  return {
    mayBeIn: (file) => file.includes(beginning),
    find: (line) => placeOf(findText(line)),
    longest: LONGEST_LINE.text,
  }
}

function byLetters(text: string): LineSearch {
  const findLow = findFirst(text.toLowerCase())
  return {
    mayBeIn: () => true,
    find: (line) => placeOf(findLow(line.toLowerCase())),
    longest: LONGEST_LINE.text,
  }
}

function placeOf(index: number): number | undefined {
  return index < 0 ? undefined : index
}

function byPattern(source: string): LineSearch {
  const pattern = boundPattern(source)
  if (pattern === undefined)
    throw new Error(
      `pattern: expected a regular expression of at most 1000 letters, got ${JSON.stringify(source.slice(0, 80))}${whyNot(source)}`,
    )
  return {
    mayBeIn: () => true,
    find: (line) => {
      const found = pattern.finds(line, STEPS_A_LINE)
      if (found === undefined) throw new SlowPattern()
      return found ? 0 : undefined
    },
    longest: LONGEST_LINE.pattern,
  }
}

/** What JavaScript says against it, which has the same expressions. */
function whyNot(source: string): string {
  try {
    new RegExp(source, 'u')
    return ''
  } catch (error) {
    return `: ${(error as Error).message.split(': ').at(-1)}`
  }
}
