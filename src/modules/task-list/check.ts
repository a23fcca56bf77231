import { readDue } from './due.ts'
import type { DueSpeaker } from './due-words.ts'
import { MAX_WORDS, wordsOf } from './search.ts'

/** What a schema cannot say of a description. */
export function checkDescription(description: string): string {
  const text = description.trim()
  if (text === '') throw new Error('description: expected some text, got nothing but blanks')
  return text
}

export function checkTags(tags: readonly string[]): readonly string[] {
  const trimmed = tags.map((tag) => tag.trim())
  if (trimmed.includes('')) throw new Error('tags: expected some text in each, got nothing but blanks')
  return [...new Set(trimmed)]
}

export function checkOptionalDue(due: string | null, speaker: DueSpeaker): string | null {
  return due === null ? null : readDue('due', due, speaker)
}

/** Whoever works on a task must be told from all others. */
export function checkAgent(agent: string): string {
  const name = agent.trim()
  if (name === '') throw new Error('agent: expected a name, got nothing but blanks')
  return name
}

/** A search that left words out would find what was not looked for, and one that has none would find everything. */
export function checkSearch(text: string): string {
  const { length } = wordsOf(text)
  if (length === 0 && text.trim() !== '')
    throw new Error(
      `text: expected a word to look for, got ${JSON.stringify(text)}, in which there is no letter or digit; leave it out to list everything`,
    )
  if (length > MAX_WORDS)
    throw new Error(`text: expected at most ${MAX_WORDS} different words, got ${length}`)
  return text
}

/** No database keeps every text: PostgreSQL has no place for NUL, and UTF-8 none for half a character. */
export function isText(text: string): boolean {
  return !text.includes('\0') && !HALF.test(text)
}

const HALF = /\p{Surrogate}/u

/** Looks at every text among the arguments of a tool. */
export function checkTexts(args: object): void {
  for (const [name, value] of Object.entries(args)) {
    for (const text of [value].flat()) {
      if (typeof text === 'string' && !isText(text))
        throw new Error(`${name}: expected text, got ${whatIsWrong(text)} in it`)
    }
  }
}

function whatIsWrong(text: string): string {
  return text.includes('\0') ? 'a NUL character' : 'half a character (a lone surrogate)'
}
