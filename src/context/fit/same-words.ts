import { isObject } from '../../kernel/index.ts'

/** How much of what is said may be missing where it still is the same: figures and names count, words about them do not. */
const OF_TEXT = 0.9

/**
 * Letters that are compared at most. Text beside data that is longer is nearly always that data once more, which is what
 * the specification asks for, and longer than what hosts show of it.
 */
const MOST_LETTERS = 64 * 1024

/** Whether texts say every text and number in data; where there is more in it than is looked at, they do not. */
export function sayAll(texts: readonly string[], data: unknown): boolean {
  if (areLong(texts)) return true
  const said = wordsIn(texts)
  return look(data, { left: MOST_LETTERS, see: (leaf) => wordsOf(leaf).every((word) => said.has(word)) })
}

/** Those of some texts that say what data does not; of much data, what its beginning does not. */
export function findUnsaid(texts: readonly string[], data: unknown): readonly string[] {
  if (texts.length === 0 || areLong(texts)) return []
  const known = new Set<string>()
  const see = (part: string) => {
    for (const word of wordsOf(part)) known.add(word)
    return true
  }
  look(data, { left: MOST_LETTERS, see, seeName: see })
  return texts.filter((text) => {
    const words = wordsOf(text)
    return words.filter((word) => known.has(word)).length < words.length * OF_TEXT
  })
}

interface WordSearch {
  /** How many letters may still be looked at. */
  left: number
  /** Is shown every text and number; false ends it. */
  readonly see: (leaf: string) => boolean
  /** Is shown every name of a member, and what is neither text nor number. */
  readonly seeName?: (name: string) => boolean
}

/** Looks at what is in a value, wherever it stands; whether nothing ended it. */
function look(value: unknown, looking: WordSearch): boolean {
  if (typeof value === 'string' || typeof value === 'number') return show(String(value), looking, looking.see)
  if (Array.isArray(value)) return value.every((one) => look(one, looking))
  if (!isObject(value)) return show(String(value), looking, looking.seeName)
  for (const name of Object.keys(value))
    if (!show(name, looking, looking.seeName) || !look(value[name], looking)) return false
  return true
}

/** Each counts for a letter at least. */
function show(part: string, looking: WordSearch, see: WordSearch['seeName']): boolean {
  looking.left -= Math.max(1, part.length)
  return looking.left >= 0 && (see === undefined || see(part))
}

function areLong(texts: readonly string[]): boolean {
  return texts.reduce((sum, { length }) => sum + length, 0) > MOST_LETTERS
}

function wordsIn(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap(wordsOf))
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
