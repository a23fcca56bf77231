import type { Effort } from './effort.ts'

/** A name in a path, at which many patterns may look letter by letter. */
export class Name {
  readonly text: string
  #letters: readonly string[] | undefined

  constructor(text: string) {
    this.text = text
  }

  get letters(): readonly string[] {
    this.#letters ??= Array.from(this.text)
    return this.#letters
  }
}

/** Any number of things. */
export const ANY = 'any'

/** Whether one thing is the right one. */
type IsRight<Thing> = (thing: Thing, effort: Effort) => boolean

/** Whether a row of things fits a row of parts: the last `any` takes one more whenever what comes after it does not fit. */
export function compileRow<Thing>(
  parts: readonly (typeof ANY | IsRight<Thing>)[],
): (things: readonly Thing[], effort: Effort) => boolean {
  const least = parts.filter((part) => part !== ANY).length
  return (things, effort) => {
    let [part, at, star, from, steps] = [0, 0, -1, 0, 1]
    for (; at < things.length && least <= things.length; steps++) {
      const now = parts[part]
      if (now === ANY) {
        star = part++
        from = at
      } else if (now?.(things[at] as Thing, effort) === true) {
        part++
        at++
      } else if (star < 0) break
      else {
        part = star + 1
        at = ++from
      }
    }
    effort.count(steps)
    while (parts[part] === ANY) part++
    return at === things.length && part === parts.length
  }
}

type PatternLetter = typeof ANY | { readonly text: string } | IsRight<string>

/** Whether a name is one of those that a pattern without slashes means. */
export function compileName(pattern: string): IsRight<Name> {
  const letters = readLetters(Array.from(pattern))
  const texts = textsOf(letters)
  if (texts !== undefined) return compileTexts(texts)
  const fits = compileRow(
    letters.map((one) => (typeof one === 'object' ? (letter: string) => letter === one.text : one)),
  )
  return (name, effort) => fits(name.letters, effort)
}

function readLetters(letters: readonly string[]): readonly PatternLetter[] {
  const read: PatternLetter[] = []
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] as string // It is inside.
    const end = letter === '[' ? letters.indexOf(']', at + 2) : -1
    if (letter === '*') read.push(ANY)
    else if (letter === '?') read.push(() => true)
    else if (end > 0) {
      read.push(oneOf(letters.slice(at + 1, end)))
      at = end
    } else {
      if (letter === '\\' && at + 1 < letters.length) at++
      read.push({ text: letters[at] as string }) // The same.
    }
  }
  return read
}

function oneOf(letters: readonly string[]): IsRight<string> {
  const isAgainst = letters[0] === '!' || letters[0] === '^'
  const ranges: [string, string][] = []
  for (let at = isAgainst ? 1 : 0; at < letters.length; at++) {
    const first = letters[at] as string // It is inside.
    const last = letters[at + 1] === '-' ? letters[at + 2] : undefined
    ranges.push([first, last ?? first])
    if (last !== undefined) at += 2
  }
  return (letter, effort) => {
    effort.count(ranges.length)
    return ranges.some(([first, last]) => first <= letter && letter <= last) !== isAgainst
  }
}

/** What stands before, between and after the stars, where that is text alone. */
function textsOf(letters: readonly PatternLetter[]): readonly string[] | undefined {
  const texts = ['']
  for (const one of letters)
    if (one === ANY) texts.push('')
    else if (typeof one === 'object') texts[texts.length - 1] += one.text
    else return undefined
  return texts
}

/** Most rules are of this kind, and are decided by how a name begins and ends. */
function compileTexts([first = '', ...others]: readonly string[]): IsRight<Name> {
  const last = others.pop()
  if (last === undefined)
    return ({ text }, effort) => {
      effort.count(1)
      return text === first
    }
  const middle = others.filter((one) => one !== '')
  return ({ text }, effort) => {
    effort.count(2)
    const end = text.length - last.length
    if (first.length > end || !text.startsWith(first) || !text.endsWith(last)) return false
    effort.count(middle.length === 0 ? 0 : text.length + middle.length)
    let at = first.length
    for (const one of middle) {
      const found = text.indexOf(one, at)
      if (found < 0 || found + one.length > end) return false
      at = found + one.length
    }
    return true
  }
}
