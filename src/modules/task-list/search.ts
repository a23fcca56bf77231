import { endOf } from './due.ts'
import type { Task } from './task.ts'

/** How many words are looked for at once. */
export const MAX_WORDS = 10

/** Longer ones are cut: no engine keeps a word of any length. */
const MAX_LENGTH = 40

/** How many letters are looked for where there are no spaces between words. */
const MAX_PAIRS = 10

/** Scripts that leave no space between words are searched two letters at a time. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u

/** What a search looks for: every word once, the same for every spelling of a letter. */
export function wordsOf(text: string): readonly string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return [...new Set(words)]
}

/** What an index holds of words; one function says so for every store. */
function tokensOf(words: readonly string[], most = Number.POSITIVE_INFINITY): readonly string[] {
  return [
    ...new Set(
      words.flatMap((word) => (UNSPACED.test(word) ? pairsOf(word, most) : word.slice(0, MAX_LENGTH))),
    ),
  ]
}

function pairsOf(word: string, most: number): readonly string[] {
  const letters = Array.from(word).slice(0, most)
  return letters.map((letter, at) => `${letter}${letters[at + 1] ?? ''}`)
}

/** The words of a description as they are kept, each after a space: what begins so is found by looking for both. */
export function printWords(description: string): string {
  return tokensOf(wordsOf(description))
    .map((token) => ` ${token}`)
    .join('')
}

/** Something to look for in an index of words. */
export interface IndexTerm {
  readonly word: string
  /** Whether the beginning of a word will do. */
  readonly begins?: true
}

/** One of each of these must be found. */
export type Clauses = readonly (readonly IndexTerm[])[]

export function textClauses(text: string): readonly (readonly [IndexTerm])[] {
  return tokensOf(wordsOf(text), MAX_PAIRS).map((word) => [{ word, begins: true }])
}

/** No word has it. */
export const SIGN = '§'

/** What else a task is found by, each under that sign. */
export const TERMS = {
  status: (status: string): IndexTerm => ({ word: `${SIGN}s${status.replace('_', '')}` }),
  priority: (priority: string): IndexTerm => ({ word: `${SIGN}p${priority}` }),
  tag: (tag: string): IndexTerm => ({ word: `${SIGN}t${Buffer.from(tag).toString('hex')}` }),
  /** A day, or all days that begin so. */
  due: (digits: string): IndexTerm => ({ word: `${SIGN}d${digits}`, begins: true }),
}

/** All that an index holds of a task. */
export function indexedText({ description, status, priority, tags, due }: Task): string {
  const terms = [
    TERMS.status(status),
    TERMS.priority(priority),
    ...tags.map(TERMS.tag),
    ...(due === null ? [] : [TERMS.due(digitsOf(endOf(due)))]),
  ]
  return `${terms.map(({ word }) => word).join(' ')}${printWords(description)}`
}

/** Everything due on that day or an earlier one: what begins with the same digits, and goes on with a smaller one. */
export function dueTerms(instant: string): readonly IndexTerm[] {
  const digits = digitsOf(instant)
  const earlier = Array.from(digits).flatMap((digit, at) =>
    Array.from({ length: Number(digit) }, (_, smaller) => `${digits.slice(0, at)}${smaller}`),
  )
  return [...earlier, digits].map(TERMS.due)
}

function digitsOf(instant: string): string {
  return instant.slice(0, 10).replaceAll('-', '')
}
