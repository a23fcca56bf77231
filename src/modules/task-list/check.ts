import { checkDue } from './due.ts'

/** What a schema cannot say of a description. */
export function checkDescription(description: string): string {
  const text = checkText('description', description).trim()
  if (text === '') throw new Error('description: expected some text, got nothing but blanks')
  return text
}

export function checkTags(tags: readonly string[]): readonly string[] {
  const trimmed = tags.map((tag) => checkText('tags', tag).trim())
  if (trimmed.includes('')) throw new Error('tags: expected some text in each, got nothing but blanks')
  return [...new Set(trimmed)]
}

export function checkOptionalDue(due: string | null): string | null {
  return due === null ? null : checkDue('due', due)
}

/** No database keeps every text: PostgreSQL has no place for NUL. */
function checkText(name: string, text: string): string {
  if (text.includes('\0')) throw new Error(`${name}: expected text, got a NUL character in it`)
  return text
}
