import { spend } from '../effort.ts'
import { type Direction, move } from './move.ts'
import type { Branch, Term } from './parse.ts'
import { type Unit, unitOf } from './unit.ts'

/** One match under way. */
interface State {
  readonly text: string
  /** Where each capture begins and ends; what has not taken part is absent. */
  readonly captures: (readonly [number, number] | undefined)[]
  /** Where each capture that is under way began. */
  readonly opened: (number | undefined)[]
  /** Of each repetition: how many rounds there were, and where the last one began. */
  readonly rounds: number[]
  readonly starts: number[]
}

/** Goes on from a position; whether all that comes after fits. */
type Step = (state: State, at: number) => boolean

/** A step here takes as long as this many elsewhere. */
const COST = 20

/** An expression as steps that know what comes after them; each of them counts. */
export function compileMatcher(branches: readonly Branch[]): (text: string) => boolean {
  const first = new PatternCompiler().branches(branches, () => true, 'ahead')
  return (text) => {
    for (let at = 0; at >= 0; at = move(text, at, 'ahead')) {
      spend(COST)
      if (first({ text, captures: [], opened: [], rounds: [], starts: [] }, at)) return true
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
    return (state, at) =>
      steps.some((step) => {
        spend(COST)
        return step(state, at)
      })
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
      const before = state.captures[capture]
      const from = state.opened[capture] ?? at
      state.captures[capture] = way === 'back' ? [at, from] : [from, at]
      if (next(state, at)) return true
      state.captures[capture] = before
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
      spend(state.captures.length)
      const before = [...state.captures]
      if (inside(state, at) === negated) return false
      if (!negated && next(state, at)) return true
      state.captures.splice(0, state.captures.length, ...before)
      return negated && next(state, at)
    }
  }

  /** A group again and again; a round that takes nothing, beyond those that must be, is no round. */
  #repeat(term: Term & { kind: 'repeat' }, next: Step, way: Direction): Step {
    const { of, min, max, lazy, captures } = term
    const unit = unitOf(of)
    if (unit !== undefined) return many(unit, term, { next, way })
    const own = this.#repeats++
    const go: Step = (state, at) => {
      spend(COST + captures.length)
      const [rounds, start] = [state.rounds[own] ?? 0, state.starts[own]]
      if (rounds > min && at === start) return false
      const leave = () => rounds >= min && next(state, at)
      const again = () => {
        if (rounds >= max) return false
        const before = captures.map((capture) => state.captures[capture])
        for (const capture of captures) state.captures[capture] = undefined
        state.rounds[own] = rounds + 1
        state.starts[own] = at
        if (round(state, at)) return true
        captures.forEach((capture, index) => {
          state.captures[capture] = before[index]
        })
        state.rounds[own] = rounds
        state.starts[own] = start ?? -1
        return false
      }
      return lazy ? leave() || again() : again() || leave()
    }
    const round = this.#term(of, go, way)
    return (state, at) => {
      const [rounds, start] = [state.rounds[own], state.starts[own]]
      state.rounds[own] = 0
      state.starts[own] = -1
      if (go(state, at)) return true
      state.rounds[own] = rounds ?? 0
      state.starts[own] = start ?? -1
      return false
    }
  }
}

function single(unit: Unit, next: Step, way: Direction): Step {
  return (state, at) => {
    spend(2)
    const end = unit(state.text, at, way)
    return end >= 0 && next(state, end)
  }
}

interface Onward {
  readonly next: Step
  readonly way: Direction
}

/** A unit again and again: as often as it is there, then less often; or the other way round. */
function many(unit: Unit, { min, max, lazy }: Term & { kind: 'repeat' }, { next, way }: Onward): Step {
  return (state, at) => {
    const ends = [at]
    const more = () => {
      const from = ends.at(-1) ?? at
      const end = ends.length > max ? -1 : unit(state.text, from, way)
      if (end < 0 || (end === from && ends.length > min)) return false
      spend(2)
      ends.push(end)
      return true
    }
    while ((!lazy || ends.length <= min) && more());
    if (ends.length <= min) return false
    if (lazy) {
      do {
        spend(COST)
        if (next(state, ends.at(-1) ?? at)) return true
      } while (more())
      return false
    }
    for (let count = ends.length; count > min; count--) {
      spend(COST)
      if (next(state, ends[count - 1] ?? at)) return true
    }
    return false
  }
}

/** What a capture took, once more; one that took no part takes nothing. */
function repeated(capture: number, next: Step, way: Direction): Step {
  return (state, at) => {
    const [from, to] = state.captures[capture] ?? [0, 0]
    spend(COST + to - from)
    const taken = state.text.slice(from, to)
    const start = way === 'back' ? at - taken.length : at
    if (start < 0 || !state.text.startsWith(taken, start)) return false
    return next(state, way === 'back' ? start : at + taken.length)
  }
}

function isBoundary(text: string, at: number): boolean {
  return /\w/.test(text[at - 1] ?? '') !== /\w/.test(text[at] ?? '')
}
