/** Kinds of characters, by their codes: what else there is has no kind. */
const [OTHER, LOWER, UPPER, DIGIT, SPACE, SIGN] = [0, 1, 2, 3, 4, 5]

/** How a character counts that begins a run of its kind, and how one after the third of it. */
const FIRST = Float64Array.of(0, 1, 1, 1, 0.1, 1)
const MORE = Float64Array.of(0, 0.15, 0.35, 0.4, 0.03, 0.35)

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)))

function kindOf(character: string): number {
  if (/[a-z]/.test(character)) return LOWER
  if (/[A-Z]/.test(character)) return UPPER
  if (/\d/.test(character)) return DIGIT
  return character <= ' ' ? SPACE : SIGN
}

/** A capital and what follows it are one word more often than not. */
const CAPITALIZED = 0.55
const NEW_LINE = 0.6

/**
 * About how many tokens a text is to a model, without its tokenizer: runs of letters, digits and signs, and what lies
 * outside of ASCII letter by letter. Bytes would make two of what is one in prose, and one of three in numbers.
 */
export function tokensIn(text: string): number {
  let tokens = 0
  let kind = OTHER
  let run = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const next = code < 128 ? (KINDS[code] ?? OTHER) : OTHER
    if (next === OTHER) tokens += code < 0x800 ? 0.5 : 1.3
    else if (code === 10) tokens += NEW_LINE
    else if (next !== kind)
      tokens += next === LOWER && kind === UPPER && run === 1 ? CAPITALIZED : (FIRST[next] ?? 0)
    else if (run >= 3) tokens += MORE[next] ?? 0
    run = next === kind ? run + 1 : 1
    kind = next
  }
  return Math.ceil(tokens)
}
