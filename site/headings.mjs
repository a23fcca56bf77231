// The names by which headings are linked to, as GitHub makes them.

/** Gives a function that makes an anchor of each heading of one page, none of them twice. */
export function createAnchors() {
  const taken = new Map()
  return (text) => {
    const plain = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-')
    const before = taken.get(plain) ?? 0
    taken.set(plain, before + 1)
    return before === 0 ? plain : `${plain}-${before}`
  }
}

/** What a heading says, without its marks. */
export function plainText(tokens) {
  return tokens
    .map((token) => (token.tokens === undefined ? (token.text ?? '') : plainText(token.tokens)))
    .join('')
}
