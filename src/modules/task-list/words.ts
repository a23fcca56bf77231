/** A text as it is searched: the same for every spelling of a letter. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** What a search looks for. */
export function wordsOf(text: string): readonly string[] {
  return fold(text)
    .split(/\s+/)
    .filter((word) => word !== '')
}
