import { spend } from '../effort.ts'
import { Captures } from './captures.ts'
import { type Direction, move } from './move.ts'
import type { Branch, Term } from './parse.ts'
import { type Unit, unitOf } from './unit.ts'

/** One match under way. Whoever changes it and does not get on leaves it as it was. */
interface State {
  readonly text: string
  readonly captures: Captures
  /** Where each capture that is under way began. */
  readonly opened: (number | undefined)[]
  /** Of each repetition: how many rounds there were, and where the last one began. */
  readonly rounds: (number | undefined)[]
  readonly starts: (number | undefined)[]
}

/** Goes on from a position; whether all that comes after fits. */
type Step = (state: State, at: number) => boolean

/** A step here takes as long as this many elsewhere. */
const COST = 40

/** An expression as steps that know what comes after them; each of them counts. */
export function compileMatcher(branches: readonly Branch[]): (text: string) => boolean {
  const first = new PatternCompiler().branches(branches, () => true, 'ahead')
  return (text) => {
    const state: State = { text, captures: new Captures(), opened: [], rounds: [], starts: [] }
    for (let at = 0; at >= 0; at = move(text, at, 'ahead')) {
      spend(COST)
      if (first(state, at)) return true
    }
    return false
  }
}

class PatternCompiler {
  #repeats = 0

  branches(branches: readonly Branch[], next: Step, way: Direction): Step {
    const steps = branches.map((branch) => this.#branch(branch, next, way))
    const [only] = steps
    if (steps.length === 1 && only !== undefined) return only
    return (state, at) => {
      for (const step of steps) {
        spend(COST)
        if (step(state, at)) return true
      }
      return false
    }
  }

  /** What comes last is compiled first; looking back, the first term comes last. */
  #branch(branch: Branch, next: Step, way: Direction): Step {
    const terms = way === 'back' ? branch : branch.toReversed()
    return terms.reduce<Step>((following, term) => this.#term(term, following, way), next)
  }

  #term(term: Term, next: Step, way: Direction): Step {
    const unit = unitOf(term)
    if (unit !== undefined) return single(unit, next, way)
    switch (term.kind) {
      case 'start':
        return (state, at) => at === 0 && next(state, at)
      case 'end':
        return (state, at) => at === state.text.length && next(state, at)
      case 'boundary':
        return (state, at) => isBoundary(state.text, at) !== term.negated && next(state, at)
      case 'atom':
        return next // It is a unit.
      case 'group':
        return this.#group(term, next, way)
      case 'look':
        return this.#look(term, next)
      case 'back':
        return repeated(term.capture, next, way)
      case 'repeat':
        return this.#repeat(term, next, way)
    }
  }

  #group({ capture, branches }: Term & { kind: 'group' }, next: Step, way: Direction): Step {
    if (capture === undefined) return this.branches(branches, next, way)
    const close: Step = (state, at) => {
      const { changes } = state.captures
      const from = state.opened[capture] ?? at
      state.captures.set(capture, Math.min(from, at), Math.max(from, at))
      if (next(state, at)) return true
      state.captures.undo(changes)
      state.opened[capture] = from
      return false
    }
    const inside = this.branches(branches, close, way)
    return (state, at) => {
      const before = state.opened[capture]
      state.opened[capture] = at
      if (inside(state, at)) return true
      state.opened[capture] = before
      return false
    }
  }

  #look({ behind, negated, branches }: Term & { kind: 'look' }, next: Step): Step {
    const inside = this.branches(branches, () => true, behind ? 'back' : 'ahead')
    return (state, at) => {
      const { changes } = state.captures
      const isFound = inside(state, at)
      if (negated) state.captures.undo(changes)
      if (isFound !== negated && next(state, at)) return true
      state.captures.undo(changes)
      return false
    }
  }

  /** A group again and again; a round that takes nothing, beyond those that must be, is no round. */
  #repeat(term: Term & { kind: 'repeat' }, next: Step, way: Direction): Step {
    const { of, min, max, lazy, captures } = term
    const unit = unitOf(of)
    if (unit !== undefined) return many(unit, term, { next, way })
    const own = this.#repeats++
    const again: Step = (state, at) => {
      const [{ changes }, rounds, start] = [state.captures, state.rounds[own] ?? 0, state.starts[own]]
      for (const capture of captures) state.captures.set(capture, 0, 0)
      state.rounds[own] = rounds + 1
      state.starts[own] = at
      if (round(state, at)) return true
      state.captures.undo(changes)
      state.rounds[own] = rounds
      state.starts[own] = start
      return false
    }
    const go: Step = (state, at) => {
      spend(COST * (3 + 12 * captures.length)) // Each round is begun and may be undone, with all that it took.
      const rounds = state.rounds[own] ?? 0
      if (rounds > min && at === state.starts[own]) return false
      if (lazy && rounds >= min && next(state, at)) return true
      if (rounds < max && again(state, at)) return true
      return !lazy && rounds >= min && next(state, at)
    }
    const round = this.#term(of, go, way)
    return (state, at) => {
      const [rounds, start] = [state.rounds[own], state.starts[own]]
      state.rounds[own] = 0
      state.starts[own] = undefined
      if (go(state, at)) return true
      state.rounds[own] = rounds
      state.starts[own] = start
      return false
    }
  }
}

function single(unit: Unit, next: Step, way: Direction): Step {
  return (state, at) => {
    spend(2)
    const end = unit.match(state.text, at, way)
    return end >= 0 && next(state, end)
  }
}

interface Onward {
  readonly next: Step
  readonly way: Direction
}

/** A unit again and again: as often as it is there, then less often; or the other way round. */
function many(unit: Unit, { min, max, lazy }: Term & { kind: 'repeat' }, { next, way }: Onward): Step {
  const more = (text: string, at: number) => {
    spend(2)
    return unit.match(text, at, way)
  }
  const atLeast = (text: string, at: number) => {
    let end = at
    for (let count = 0; count < min && end >= 0; count++) end = more(text, end)
    return end
  }
  const fewest: Step = (state, at) => {
    let end = atLeast(state.text, at)
    for (let count = min; end >= 0; count++) {
      spend(COST)
      if (next(state, end)) return true
      const after = count < max ? more(state.text, end) : -1
      end = after === end ? -1 : after
    }
    return false
  }
  const most: Step = (state, at) => {
    let end = atLeast(state.text, at)
    let count = min
    for (let after = end; after >= 0 && count < max; count++) {
      after = more(state.text, end)
      if (after < 0 || after === end) break
      end = after
    }
    for (; end >= 0 && count >= min; count--) {
      spend(COST)
      if (next(state, end)) return true
      end = back(unit, state.text, { end, way })
    }
    return false
  }
  return lazy ? fewest : most
}

/** Where a unit began. */
function back({ characters }: Unit, text: string, { end, way }: { end: number; way: Direction }): number {
  let at = end
  for (let count = 0; count < characters; count++) at = move(text, at, way === 'back' ? 'ahead' : 'back')
  return at
}

/** What a capture took, once more; one that took no part takes nothing. */
function repeated(capture: number, next: Step, way: Direction): Step {
  return (state, at) => {
    const { text, captures } = state
    const [from, to] = [captures.begin(capture), captures.end(capture)]
    spend(COST + to - from)
    const start = way === 'back' ? at - (to - from) : at
    if (start < 0 || !text.startsWith(text.slice(from, to), start)) return false
    return next(state, way === 'back' ? start : at + (to - from))
  }
}

function isBoundary(text: string, at: number): boolean {
  return /\w/.test(text[at - 1] ?? '') !== /\w/.test(text[at] ?? '')
}
