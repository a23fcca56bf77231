import { endOfString, MEMBER, OBJECT, weighText } from '../../kernel/index.ts'

/** The most that a letter of JSON can weigh: each of `[{},{},…]` has three. */
const HEAVIEST_LETTER = 32

/**
 * What a text of JSON will weigh once it is parsed, at most; looks no further than where that is past the limit.
 * @example const isHeavy = weighJson('[{},{},{}]', 100) > 100
 */
export function weighJson(text: string, limit: number): number {
  if (text.length * HEAVIEST_LETTER <= limit) return text.length * HEAVIEST_LETTER
  let weight = weighText(text)
  for (let at = 0; at < text.length && weight <= limit; at++) {
    const letter = text.charCodeAt(at)
    if (letter === QUOTE) at = endOfString(text, at)
    else if (letter === COMMA || letter === COLON) weight += MEMBER
    else if (letter === BRACE || letter === BRACKET) weight += OBJECT + MEMBER
  }
  return weight
}

const [QUOTE, COMMA, COLON, BRACE, BRACKET] = [34, 44, 58, 123, 91]
