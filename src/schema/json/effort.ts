import { flagOf } from '../../kernel/index.ts'

/**
 * What a check may take in all. References and loops count, through the value as well as through the schema; a check
 * is synchronous and never waits for anything, so that one count serves every schema.
 */
export const effort = { allowed: 0, left: 0, depth: 0, tries: 0 }

/** How deep references may lead into a value: far beyond any real one, far above the end of the stack. */
const MAX_DEPTH = 256

export const LESS_WORK = `a value that takes less work to check (--${flagOf('maxCheckSteps')})`

/** Thrown where a check stops because it would take too much. */
export class Overrun extends Error {}

/** What the last check took. */
export function stepsTaken(): number {
  return effort.allowed - Math.max(effort.left, 0)
}

export function spend(steps: number): void {
  effort.left -= steps
  if (effort.left < 0) throw new Overrun(LESS_WORK)
}

/** Looking for a name in an object is a small step. */
export function namesCost(names: number): number {
  return 1 + (names >> 2)
}

export function descend(): void {
  spend(1)
  effort.depth += 1
  if (effort.depth > MAX_DEPTH) throw new Overrun(`at most ${MAX_DEPTH} levels`)
}

export function ascend(): void {
  effort.depth -= 1
}
