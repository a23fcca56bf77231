/** A text as it is searched: the same for every spelling of a letter. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** Each word costs a look at every description. */
export const MAX_WORDS = 10

/** What a search looks for: every word once. */
export function wordsOf(text: string): readonly string[] {
  const words = fold(text).split(/\s+/)
  return [...new Set(words)].filter((word) => word !== '')
}
