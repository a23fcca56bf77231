/** Up to here `indexOf` is faster, and what repeats itself is not compared for long. */
const SHORT = 64

type Overlap = 'overlapping' | 'apart'

/** Where a part stands in a text: wherever it does, or without those that begin in the one before. */
export function placesOf(text: string, part: string, overlap: Overlap): readonly number[] {
  if (part.length > SHORT) return longPlaces(text, part, overlap)
  const step = overlap === 'apart' ? part.length : 1
  const places: number[] = []
  if (part === '') return places
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + step)) places.push(at)
  return places
}

/** What stands before, between and after the places of a part, as `split` has it. */
export function splitBy(text: string, part: string): string[] {
  if (part.length <= SHORT) return text.split(part)
  let end = 0
  const pieces = placesOf(text, part, 'apart').map((at) => {
    const piece = text.slice(end, at)
    end = at + part.length
    return piece
  })
  return [...pieces, text.slice(end)]
}

/** Finds the first place of a part in any text, or -1, as `indexOf` has it. */
export function findFirst(part: string): (text: string) => number {
  if (part.length <= SHORT) return (text) => text.indexOf(part)
  const borders = bordersOf(part)
  return (text) => {
    for (const at of eachPlace(text, part, { borders, overlap: 'apart' })) return at
    return -1
  }
}

function longPlaces(text: string, part: string, overlap: Overlap): readonly number[] {
  return [...eachPlace(text, part, { borders: bordersOf(part), overlap })]
}

interface HowToFind {
  readonly borders: Int32Array
  readonly overlap: Overlap
}

/** By Knuth, Morris and Pratt: `indexOf` takes minutes where a long part repeats itself, and so does the text. */
function* eachPlace(text: string, part: string, { borders, overlap }: HowToFind): Generator<number> {
  if (text.length < part.length) return
  let matched = 0
  for (let at = 0; at < text.length; at++) {
    matched = extend(part, matched, { borders, letter: text.charCodeAt(at) })
    if (matched < part.length) continue
    yield at + 1 - matched
    matched = overlap === 'apart' ? 0 : (borders[matched - 1] ?? 0)
  }
}

/** For each beginning of a part, how much of its own beginning it ends with. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length)
  for (let at = 1; at < part.length; at++)
    borders[at] = extend(part, borders[at - 1] ?? 0, { borders, letter: part.charCodeAt(at) })
  return borders
}

/** How much of a part stands before and with the next letter. */
function extend(part: string, before: number, { borders, letter }: Next): number {
  let matched = before
  while (matched > 0 && part.charCodeAt(matched) !== letter) matched = borders[matched - 1] ?? 0
  return part.charCodeAt(matched) === letter ? matched + 1 : matched
}

interface Next {
  readonly borders: Int32Array
  readonly letter: number
}
