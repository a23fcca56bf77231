/**
 * For a name that there is none of: the one that was probably meant, or a sentence with all there are, as far as anybody reads.
 * @example suggest('get_wether', ['get_weather', 'search'])
 */
export function suggest(name: string, known: readonly string[]): string {
  return nearest(name, known) ?? `Expected: ${joinNames(known)}`
}

/** Names after each other, up to what anybody reads; what is longer than names are is none that anybody meant. */
function joinNames(names: readonly string[]): string {
  let told = ''
  for (const name of names) {
    if (name.length > LONGEST) continue
    if (told.length > MOST_TOLD) return `${told}, …`
    told += told === '' ? name : `, ${name}`
  }
  return told === '' ? '…' : told
}

const MOST_TOLD = 4096

/** The one that was probably meant, if one is near; what is longer than names are is near none. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined
  let best: { readonly one: string; readonly distance: number } | undefined
  for (const one of known) {
    const most = best === undefined ? Math.max(1, name.length / 4) : best.distance - 1
    if (Math.abs(one.length - name.length) > most) continue
    const distance = distanceOf(name.toLowerCase(), one.toLowerCase())
    if (distance <= most) best = { one, distance }
  }
  return best?.one
}

/** Whoever calls may call anything, and the time it takes to compare grows with both names. */
const LONGEST = 128

/** How many letters have to be put in, left out, changed or swapped with their neighbour. */
function distanceOf(one: string, other: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let to = 1; to <= other.length; to++) {
      const same = one[at - 1] === other[to - 1]
      const swapped = one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]
      const cost = Math.min(
        costOf(row, to) + 1,
        costOf(next, to - 1) + 1,
        costOf(row, to - 1) + (same ? 0 : 1),
      )
      next.push(swapped ? Math.min(cost, costOf(before, to - 2) + 1) : cost)
    }
    ;[before, row] = [row, next]
  }
  return costOf(row, other.length)
}

function costOf(row: readonly number[], place: number): number {
  return row[place] ?? Number.POSITIVE_INFINITY
}
