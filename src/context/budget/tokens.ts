/** Kinds of characters, by their codes: what else there is has no kind. */
const [OTHER, LOWER, UPPER, DIGIT, SPACE, SIGN] = [0, 1, 2, 3, 4, 5]

/** How a character counts that begins a run of its kind, and how one after the third of it: in hundredths, so that parts add up. */
const FIRST = Uint8Array.of(0, 100, 100, 100, 10, 100)
const MORE = Uint8Array.of(0, 15, 35, 40, 3, 35)

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)))

function kindOf(character: string): number {
  if (/[a-z]/.test(character)) return LOWER
  if (/[A-Z]/.test(character)) return UPPER
  if (/\d/.test(character)) return DIGIT
  return character <= ' ' ? SPACE : SIGN
}

/** A capital and what follows it are one word more often than not. */
const CAPITALIZED = 55
const NEW_LINE = 60

/** What lies outside of ASCII, near it and far from it. */
const [NEAR, FAR] = [50, 130]

/**
 * About how many tokens a text is to a model, without its tokenizer: runs of letters, digits and signs, and what lies
 * outside of ASCII letter by letter. Bytes would make two of what is one in prose, and one of three in numbers.
 */
export function tokensIn(text: string): number {
  return Math.ceil(hundredthsIn(text) / 100)
}

export function hundredthsIn(text: string): number {
  let tokens = 0
  let kind = OTHER
  let run = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const next = code < 128 ? (KINDS[code] ?? OTHER) : OTHER
    if (next === OTHER) tokens += code < 0x800 ? NEAR : FAR
    else if (code === 10) tokens += NEW_LINE
    else if (next !== kind)
      tokens += next === LOWER && kind === UPPER && run === 1 ? CAPITALIZED : (FIRST[next] ?? 0)
    else if (run >= 3) tokens += MORE[next] ?? 0
    run = next === kind ? run + 1 : 1
    kind = next
  }
  return tokens
}

/** Of so many signs in a row. */
export function hundredthsOfSigns(count: number): number {
  return count === 0 ? 0 : (FIRST[SIGN] ?? 0) + (MORE[SIGN] ?? 0) * Math.max(0, count - 3)
}

export function isSign(text: string, at: number): boolean {
  return KINDS[text.charCodeAt(at)] === SIGN
}
