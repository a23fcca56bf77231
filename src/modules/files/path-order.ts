import { isInside } from '../../confined/locate.ts'

export interface Turn {
  /** Absolute, as the caller spelled it: two names of one file are two paths. */
  readonly path: string
  readonly does: 'read' | 'write'
}

interface Taken extends Turn {
  readonly done: Promise<unknown>
}

/** Has what touches the same path happen in the order in which it was asked for, and everything else at once. */
export class PathOrder {
  readonly #taken = new Set<Taken>()

  run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    const before = [...this.#taken].filter((other) => touch(turn, other)).map(({ done }) => done)
    const result = before.length === 0 ? work() : Promise.all(before).then(work)
    const forget = () => this.#taken.delete(taken)
    const taken: Taken = { ...turn, done: result.then(forget, forget) }
    this.#taken.add(taken)
    return result
  }
}

/** A directory lists what is in it. Readers do not disturb each other. */
function touch(one: Turn, other: Turn): boolean {
  if (one.does === 'read' && other.does === 'read') return false
  return isInside(one.path, other.path) || isInside(other.path, one.path)
}
