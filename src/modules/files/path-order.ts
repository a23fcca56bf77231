import { isInside } from '../../confined/locate.ts'

export interface Turn {
  /** Absolute, as the caller spelled it: two names of one file are two paths. */
  readonly path: string
  readonly does: 'read' | 'write'
  readonly call?: PathCaller | undefined
}

/** Who asks; callers who cannot be told apart are one. */
interface PathCaller {
  readonly owner?: string | undefined
  readonly signal?: AbortSignal | undefined
}

interface PathWish {
  readonly turns: readonly Turn[]
  readonly owner: string
  /** Whether its caller has nothing before it any more. */
  isFirst: boolean
  /** Told when it is over. */
  readonly followers: (() => void)[]
}

/**
 * Has what touches the same path happen in the order in which a caller asked for it, and everything else at once.
 * Several callers come in turn, so that nobody waits for all that another has asked for.
 */
export class PathOrder {
  readonly #asked = new Set<PathWish>()

  /** Several paths are taken at once, so that nobody holds one and waits for another. */
  run<T>(wanted: Turn | readonly [Turn, ...Turn[]], work: () => Promise<T>): Promise<T> {
    const turns = [wanted].flat()
    const call = turns[0]?.call
    const asked: PathWish = { turns, owner: call?.owner ?? '', isFirst: false, followers: [] }
    const own = this.#before((other) => other.owner === asked.owner && meet(turns, other.turns, touch))
    const result = afterAll(own, call, () => {
      asked.isFirst = true
      const others = this.#before(
        (other) => other.isFirst && other.owner !== asked.owner && meet(turns, other.turns, isHeldUp),
      )
      return afterAll(others, call, work)
    })
    const forget = () => {
      this.#asked.delete(asked)
      for (const follow of asked.followers) follow()
    }
    result.then(forget, forget)
    this.#asked.add(asked)
    return result
  }

  /** Whether nobody is there whom it would have to wait for. */
  isFree(turn: Turn): boolean {
    for (const { turns } of this.#asked) if (turns.some((other) => touch(turn, other))) return false
    return true
  }

  #before(isBefore: (other: PathWish) => boolean): readonly PathWish[] {
    return [...this.#asked].filter(isBefore)
  }
}

/** Works at once where nobody is before it; whoever has left meanwhile waits no longer. */
function afterAll<T>(
  before: readonly PathWish[],
  call: PathCaller | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (before.length === 0) return work()
  const signal = call?.signal
  const waiting = new Promise<void>((resolve, reject) => {
    let left = before.length
    const leave = () => reject(signal?.reason as Error) // As it was given.
    const follow = () => {
      if (--left > 0) return
      signal?.removeEventListener('abort', leave)
      resolve()
    }
    for (const { followers } of before) followers.push(follow)
    if (signal?.aborted === true) leave()
    else signal?.addEventListener('abort', leave, { once: true })
  })
  return waiting.then(work)
}

type Meets = (one: Turn, other: Turn) => boolean

function meet(turns: readonly Turn[], others: readonly Turn[], meets: Meets): boolean {
  return turns.some((turn) => others.some((other) => meets(turn, other)))
}

/** A directory lists what is in it. Readers do not disturb each other. */
function touch(one: Turn, other: Turn): boolean {
  if (one.does === 'read' && other.does === 'read') return false
  return isInside(one.path, other.path) || isInside(other.path, one.path)
}

/** What somebody else reads is not waited for: a file is put into its place in one step, and who has it open keeps the old one. */
function isHeldUp(one: Turn, other: Turn): boolean {
  return other.does === 'write' && touch(one, other)
}
