/**
 * For a name that there is none of: the one that was probably meant, or a sentence with all there are.
 * @example suggest('get_wether', ['get_weather', 'search'])
 */
export function suggest(name: string, known: readonly string[]): string {
  return nearest(name, known) ?? `Expected: ${known.join(', ')}`
}

/** The one that was probably meant, if one is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const distances = known.map((one) => ({ one, distance: distanceOf(name.toLowerCase(), one.toLowerCase()) }))
  const best = distances.reduce((one, next) => (next.distance < one.distance ? next : one), FAR)
  return best.distance <= Math.max(1, name.length / 4) ? best.one : undefined
}

const FAR = { one: '', distance: Number.POSITIVE_INFINITY }

/** How many letters have to be put in, left out, changed or swapped with their neighbour. */
function distanceOf(one: string, other: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let to = 1; to <= other.length; to++) {
      const same = one[at - 1] === other[to - 1]
      const swapped = one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]
      const costs = [costOf(row, to) + 1, costOf(next, to - 1) + 1, costOf(row, to - 1) + (same ? 0 : 1)]
      next.push(Math.min(...costs, swapped ? costOf(before, to - 2) + 1 : FAR.distance))
    }
    ;[before, row] = [row, next]
  }
  return costOf(row, other.length)
}

function costOf(row: readonly number[], place: number): number {
  return row[place] ?? FAR.distance
}
