import { boundPattern } from '../../schema/json/pattern/bounded.ts'

/** Finds what is looked for in a line. */
export interface LineSearch {
  /** Whether a file can have it at all, by a look at its bytes. */
  mayBeIn(bytes: Buffer): boolean
  isIn(line: string): boolean
}

/** What one line may take, which is some milliseconds at worst. */
const STEPS_A_LINE = 200_000

/** A longer line is looked at so far. */
export const LONGEST_LINE = 10_000

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

function byText(text: string): LineSearch {
  const bytes = Buffer.from(text)
  return { mayBeIn: (file) => file.includes(bytes), isIn: (line) => line.includes(text) }
}

function byLetters(text: string): LineSearch {
  const low = text.toLowerCase()
  return { mayBeIn: () => true, isIn: (line) => line.toLowerCase().includes(low) }
}

function byPattern(source: string): LineSearch {
  const pattern = boundPattern(source)
  if (pattern === undefined)
    throw new Error(
      `pattern: expected a regular expression of at most 1000 letters, got ${JSON.stringify(source.slice(0, 80))}`,
    )
  return {
    mayBeIn: () => true,
    isIn: (line) => {
      const found = pattern.finds(line, STEPS_A_LINE)
      if (found === undefined)
        throw new Error(
          'pattern: it takes too long on a line of these files. Make it simpler: no group that repeats what repeats inside it',
        )
      return found
    },
  }
}
