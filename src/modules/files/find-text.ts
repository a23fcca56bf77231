/** Up to here `indexOf` is faster, and what repeats itself is not compared for long. */
const SHORT = 64

/** Where a part stands in a text: wherever it does, or without those that begin in the one before. */
export function placesOf(text: string, part: string, overlap: 'overlapping' | 'apart'): readonly number[] {
  if (part.length > SHORT) return longPlaces(text, part, overlap)
  const step = overlap === 'apart' ? part.length : 1
  const places: number[] = []
  if (part === '') return places
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + step)) places.push(at)
  return places
}

/** By Knuth, Morris and Pratt: `indexOf` takes minutes where a long part repeats itself, and so does the text. */
function longPlaces(text: string, part: string, overlap: 'overlapping' | 'apart'): readonly number[] {
  const borders = bordersOf(part)
  const places: number[] = []
  let matched = 0
  for (let at = 0; at < text.length; at++) {
    matched = extend(part, matched, { borders, letter: text.charCodeAt(at) })
    if (matched < part.length) continue
    places.push(at + 1 - matched)
    matched = overlap === 'apart' ? 0 : (borders[matched - 1] ?? 0)
  }
  return places
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
