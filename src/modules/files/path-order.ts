import { isInside } from '../../confined/locate.ts'

export interface Turn {
  /** Absolute, as the caller spelled it: two names of one file are two paths. */
  readonly path: string
  readonly does: 'read' | 'write'
}

interface Taken {
  readonly turns: readonly Turn[]
  readonly done: Promise<unknown>
}

/** Has what touches the same path happen in the order in which it was asked for, and everything else at once. */
export class PathOrder {
  readonly #taken = new Set<Taken>()

  /** Several paths are taken at once, so that nobody holds one and waits for another. */
  run<T>(wanted: Turn | readonly Turn[], work: () => Promise<T>): Promise<T> {
    const turns = [wanted].flat()
    const before = [...this.#taken].filter((other) => meet(turns, other.turns)).map(({ done }) => done)
    const result = before.length === 0 ? work() : Promise.all(before).then(work)
    const forget = () => this.#taken.delete(taken)
    const taken: Taken = { turns, done: result.then(forget, forget) }
    this.#taken.add(taken)
    return result
  }

  /** Whether nobody is there whom it would have to wait for. */
  isFree(turn: Turn): boolean {
    for (const { turns } of this.#taken) if (turns.some((other) => touch(turn, other))) return false
    return true
  }
}

function meet(turns: readonly Turn[], others: readonly Turn[]): boolean {
  return turns.some((turn) => others.some((other) => touch(turn, other)))
}

/** A directory lists what is in it. Readers do not disturb each other. */
function touch(one: Turn, other: Turn): boolean {
  if (one.does === 'read' && other.does === 'read') return false
  return isInside(one.path, other.path) || isInside(other.path, one.path)
}
