import { endOfString, MEMBER, OBJECT, weighText } from '../../kernel/index.ts'
import { hashOn, SEED, SeenHashes } from './seen-hashes.ts'

/** What a text of JSON will be once it is parsed: what it will weigh at most, and how many levels it has. */
export interface JsonWeight {
  readonly weight: number
  readonly depth: number
}

/** The most that a letter of JSON can weigh, as in `{"я":1,"ю":1,…}`. */
export const HEAVIEST_LETTER = 64

/** What a name weighs that no object has had after the same others, and what any does in an object that has many. */
const NAME = 256
const MANY = 1000

/** What a short text weighs that was not there before: those up to this length are kept once, as names are. */
const WORD = 64
const SHORT = 10

/** A number of more letters than this may take long to read, and the longer the more: what it weighs, and each letter of that. */
const EASY_NUMBER = 15
const NUMBER = 64
const DIGIT = 8

/**
 * Weighs a text of JSON by its brackets, commas, colons, long numbers and what is different of its texts; looks no further than where
 * it is past the limit. What takes long to parse weighs as if it took much room, for it holds up everybody.
 * @example const isHeavy = weighJson('[{},{},{}]', 100).weight > 100
 */
export function weighJson(text: string, limit: number): JsonWeight {
  const strings = new Strings(text)
  let weight = weighText(text)
  let open = 0
  let depth = 0
  for (let at = 0; at < text.length && weight <= limit; at++) {
    const letter = text.charCodeAt(at)
    if (letter === QUOTE) at = strings.read(at)
    else if (letter === COLON) weight += MEMBER + strings.weighName(open)
    else if (letter === COMMA) weight += MEMBER + strings.weighText()
    else if (letter === BRACE || letter === BRACKET) {
      weight += OBJECT + MEMBER
      strings.begin(++open)
      if (open > depth) depth = open
    } else if (letter === END_BRACE || letter === END_BRACKET) {
      weight += strings.weighText()
      open--
    } else if (isOfNumber(letter)) {
      const from = at
      while (isOfNumber(text.charCodeAt(at + 1))) at++
      weight += weighNumber(at + 1 - from)
    }
  }
  return { weight, depth }
}

const [QUOTE, COMMA, COLON] = [34, 44, 58]
const [BRACE, BRACKET, END_BRACE, END_BRACKET] = [123, 91, 125, 93]
const [PLUS, MINUS, DOT, ZERO, NINE, E, SMALL_E] = [43, 45, 46, 48, 57, 69, 101]

function isOfNumber(letter: number): boolean {
  if (letter >= ZERO) return letter <= NINE || letter === E || letter === SMALL_E
  return letter === DOT || letter === MINUS || letter === PLUS
}

function weighNumber(length: number): number {
  return length > EASY_NUMBER ? NUMBER + DIGIT * (length - EASY_NUMBER) : 0
}

/** The strings of a text of JSON, each a name or a text by what comes after it. */
class Strings {
  readonly #text: string
  readonly #shapes = new SeenHashes()
  readonly #texts = new SeenHashes()
  /** Of the objects that are open: the hash of their names so far, and how many they are. */
  readonly #shape: number[] = []
  readonly #members: number[] = []
  /** Where the one stands that was read last, until it has been weighed. */
  #from = 0
  #to = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Gives where it ends. */
  read(at: number): number {
    this.#from = at + 1
    this.#to = endOfString(this.#text, at)
    return this.#to
  }

  begin(level: number): void {
    this.#shape[level] = SEED
    this.#members[level] = 0
  }

  weighName(level: number): number {
    const count = (this.#members[level] ?? 0) + 1
    const shape = this.#hash(this.#shape[level] ?? SEED)
    this.#members[level] = count
    this.#shape[level] = shape
    return this.#shapes.add(shape) || count > MANY ? NAME : 0
  }

  weighText(): number {
    const length = this.#to - this.#from
    return length > 0 && length <= SHORT && this.#texts.add(this.#hash(SEED)) ? WORD : 0
  }

  #hash(before: number): number {
    let hash = hashOn(before, this.#to - this.#from)
    for (let at = this.#from; at < this.#to; at++) hash = hashOn(hash, this.#text.charCodeAt(at))
    this.#to = this.#from
    return hash
  }
}
