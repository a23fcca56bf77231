/** Shorter ones are too much like others, and longer ones are no words that somebody has written. */
const SHORTEST = 4
const LONGEST = 40

/** As many that look like a word are given; where there are more, it tells nothing. */
const MOST_NEAR = 64

/** What one search may cost: words that are looked at, and pairs of letters that are compared. */
const MOST_STEPS = 250_000

/** What looking up the words of one search has cost so far. */
export interface LookUps {
  steps: number
}

interface KnownWord {
  readonly word: string
  /** Which letters it has, as bits. */
  readonly letters: number
}

/** Words that tools have, by their first letters: nobody mistakes these. */
export class Vocabulary {
  readonly #words = new Map<number, KnownWord[]>()

  constructor(words: Iterable<string>) {
    for (const word of words) {
      if (word.length < SHORTEST || word.length > LONGEST) continue
      const known = { word, letters: lettersOf(word) }
      const alike = this.#words.get(word.charCodeAt(0))
      if (alike === undefined) this.#words.set(word.charCodeAt(0), [known])
      else alike.push(known)
    }
  }

  /** Those that somebody may have meant by one that is not among them: a beginning, or a slip of the pen. */
  nearTo(word: string, spent: LookUps): readonly string[] {
    if (word.length < SHORTEST || word.length > LONGEST) return []
    const near: string[] = []
    const asked = { word, letters: lettersOf(word) }
    for (const other of this.#words.get(word.charCodeAt(0)) ?? []) {
      if (spent.steps++ >= MOST_STEPS || near.length === MOST_NEAR) break
      if (isBegun(word, other.word) || isSlip(asked, other, spent)) near.push(other.word)
    }
    return near
  }
}

function isBegun(word: string, other: string): boolean {
  if (word.charCodeAt(SHORTEST - 1) !== other.charCodeAt(SHORTEST - 1)) return false
  return other.startsWith(word) || (other.length > SHORTEST && word.startsWith(other))
}

function isSlip({ word, letters }: KnownWord, other: KnownWord, spent: LookUps): boolean {
  const slips = word.length > 6 ? 2 : 1
  if (word.length < 5 || Math.abs(word.length - other.word.length) > slips) return false
  // A letter that is mistaken for another is one fewer and one more.
  if (bitsOf(letters ^ other.letters) > 2 * slips) return false
  spent.steps += word.length * other.word.length
  return slipsBetween(word, other.word) <= slips
}

function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters
}

function bitsOf(value: number): number {
  let bits = 0
  for (let left = value; left !== 0; left &= left - 1) bits++
  return bits
}

/** How many letters were left out, added, mistaken or swapped. */
function slipsBetween(word: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= word.length; row++) {
    const next = [row]
    for (let at = 1; at <= other.length; at++) {
      const same = word[row - 1] === other[at - 1]
      const swapped = row > 1 && at > 1 && word[row - 1] === other[at - 2] && word[row - 2] === other[at - 1]
      next[at] = Math.min(
        (last[at] ?? 0) + 1,
        (next[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = next
  }
  return last[other.length] ?? 0
}
