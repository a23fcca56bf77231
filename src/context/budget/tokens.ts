/** How a character counts that begins a run of its kind, and how one of those after the third. */
interface Kind {
  readonly first: number
  readonly more: number
}

const LOWER: Kind = { first: 1, more: 0.15 }
const UPPER: Kind = { first: 1, more: 0.35 }
const DIGIT: Kind = { first: 1, more: 0.4 }
const SPACE: Kind = { first: 0.1, more: 0.03 }
const SIGN: Kind = { first: 1, more: 0.35 }
const OTHER: Kind = { first: 0, more: 0 }

const KINDS: readonly Kind[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z]/.test(character)) return LOWER
  if (/[A-Z]/.test(character)) return UPPER
  if (/\d/.test(character)) return DIGIT
  return code <= 32 ? SPACE : SIGN
})

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
    const next = KINDS[code] ?? OTHER
    if (next === OTHER) tokens += code < 0x800 ? 0.5 : 1.3
    else if (code === 10) tokens += NEW_LINE
    else if (next !== kind) tokens += next === LOWER && kind === UPPER && run === 1 ? CAPITALIZED : next.first
    else if (run >= 3) tokens += next.more
    run = next === kind ? run + 1 : 1
    kind = next
  }
  return Math.ceil(tokens)
}
