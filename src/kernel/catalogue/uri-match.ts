/** What a URI must look like from some point on; numbered, so that a search can tell where it has been. */
export type Pattern =
  | { readonly kind: 'end'; readonly number: number }
  | { readonly kind: 'text'; readonly number: number; readonly text: string; readonly next: Pattern }
  | { readonly kind: 'either'; readonly number: number; readonly first: Pattern; readonly second: Pattern }
  | Run

/** The value of a variable: as many characters as may be, up to one of `stops`. */
export interface Run {
  readonly kind: 'run'
  readonly number: number
  readonly name: string
  readonly stops: string
  readonly most: number
  readonly next: Pattern
}

/** The values found so far, the last one first. */
export interface Values {
  readonly name: string
  readonly text: string
  readonly before: Values | undefined
}

export interface UriMatch {
  readonly values: Values | 'none' | undefined
  /** What it took, in characters and patterns looked at. */
  readonly steps: number
}

/** How many steps a search may take, which is some milliseconds; what needs more counts as no match. */
export const MAX_STEPS = 200_000

/**
 * Tries the ways of reading a URI in the order in which a regular expression would, but no place twice for the same
 * pattern: what has failed there once fails there again. So the steps grow with the URI, not with its ways.
 */
export function search(pattern: Pattern, size: number, uri: string): UriMatch {
  const search = new UriSearch(uri, size)
  const values = search.run(pattern)
  return { values, steps: search.steps }
}

/** A pattern to be tried at a place; with `start`, a run that has come so far and can give back what it took. */
interface Attempt {
  readonly pattern: Pattern
  readonly at: number
  readonly values: Values | undefined
  readonly start?: number
}

class UriSearch {
  steps = 0
  readonly #uri: string
  readonly #seen: Uint8Array
  readonly #ways: Attempt[] = []

  constructor(uri: string, size: number) {
    this.#uri = uri
    this.#seen = new Uint8Array(size * (uri.length + 1))
  }

  run(pattern: Pattern): UriMatch['values'] {
    this.#ways.push({ pattern, at: 0, values: undefined })
    for (let way = this.#ways.pop(); way !== undefined; way = this.#ways.pop()) {
      if (++this.steps > MAX_STEPS) return undefined
      if (way.pattern.kind === 'run' && way.start !== undefined) this.#leave(way.pattern, way, way.start)
      else if (this.#isNew(way.pattern, way.at) && this.#enter(way)) return way.values ?? 'none'
    }
    return undefined
  }

  /** Tells whether the URI has been read to its end. */
  #enter({ pattern, at, values }: Attempt): boolean {
    if (pattern.kind === 'end') return at === this.#uri.length
    if (pattern.kind === 'run') this.#begin(pattern, at, values)
    else if (pattern.kind === 'either') {
      this.#ways.push({ pattern: pattern.second, at, values }, { pattern: pattern.first, at, values })
    } else if (this.#uri.startsWith(pattern.text, at)) {
      this.#ways.push({ pattern: pattern.next, at: at + pattern.text.length, values })
    }
    return false
  }

  /** A run without a limit that comes to where it has been before has nothing new to offer from there on. */
  #begin(run: Run, start: number, values: Values | undefined): void {
    const last = Math.min(this.#uri.length, start + run.most)
    let at = start
    while (at < last && !run.stops.includes(this.#uri.charAt(at))) {
      this.steps++
      if (run.most === Number.POSITIVE_INFINITY && !this.#isNew(run, at + 1)) break
      at++
    }
    this.#ways.push({ pattern: run, at, values, start })
  }

  /** Goes on after a value, with one character less of it to be tried later. */
  #leave(run: Run, { at, values }: Attempt, start: number): void {
    if (at > start) this.#ways.push({ pattern: run, at: at - 1, values, start })
    const { name, next } = run
    const text = this.#uri.slice(start, at)
    this.#ways.push({ pattern: next, at, values: { name, text, before: values } })
  }

  #isNew({ number }: Pattern, at: number): boolean {
    const place = number * (this.#uri.length + 1) + at
    if (this.#seen[place] === 1) return false
    this.#seen[place] = 1
    return true
  }
}
