import { spend } from '../effort.ts'
import { type Direction, move } from './move.ts'
import type { Term } from './parse.ts'

/** A fixed row of characters, which a text has at a position or has not. */
export interface Unit {
  readonly characters: number
  /** Where it ends, or -1. */
  match(text: string, at: number, way: Direction): number
}

/** A term as a unit, if there is only one way to hold a text against it. */
export function unitOf(term: Term): Unit | undefined {
  if (term.kind === 'repeat') {
    const unit = term.min === term.max ? unitOf(term.of) : undefined
    return unit && again(unit, term.min)
  }
  const source = atomOf(term)
  if (source !== undefined) return character(source)
  return term.kind === 'group' && term.capture === undefined ? rowOf(term.branches) : undefined
}

/** A group of single characters to choose from is like one of them. */
function atomOf(term: Term): string | undefined {
  if (term.kind === 'atom') return term.source
  if (term.kind !== 'group' || term.capture !== undefined) return undefined
  const sources = term.branches.map((branch) =>
    branch.length === 1 && branch[0] ? atomOf(branch[0]) : undefined,
  )
  return sources.includes(undefined) ? undefined : `(?:${sources.join('|')})`
}

function rowOf(branches: readonly (readonly Term[])[]): Unit | undefined {
  const [only = []] = branches
  const units = only.map(unitOf)
  if (branches.length !== 1 || units.includes(undefined)) return undefined
  const known = units as readonly Unit[] // None is undefined.
  const reversed = known.toReversed()
  return {
    characters: known.reduce((sum, { characters }) => sum + characters, 0),
    match(text, at, way) {
      let end = at
      spend(known.length)
      for (const unit of way === 'back' ? reversed : known) {
        end = unit.match(text, end, way)
        if (end < 0) return -1
      }
      return end
    },
  }
}

function again(unit: Unit, count: number): Unit {
  return {
    characters: unit.characters * count,
    match(text, at, way) {
      let end = at
      for (let round = 0; round < count && end >= 0; round++) {
        spend(2)
        end = unit.match(text, end, way)
      }
      return end
    },
  }
}

/** V8 says of each single character whether it is meant, of the first 128 only once; a letter means itself. */
function character(source: string): Unit {
  const expression = /^[\w ]$/.test(source) ? undefined : new RegExp(`^${source}$`, 'u')
  const fits = (code: number) =>
    expression === undefined ? code === source.charCodeAt(0) : expression.test(String.fromCodePoint(code))
  const known = new Int8Array(128)
  return {
    characters: 1,
    match(text, at, way) {
      const end = move(text, at, way)
      if (end < 0) return -1
      const code = text.codePointAt(Math.min(at, end)) ?? 0
      if (code >= known.length) return fits(code) ? end : -1
      if (known[code] === 0) known[code] = fits(code) ? 1 : -1
      return known[code] === 1 ? end : -1
    },
  }
}
