/**
 * What a check may take in all. References and loops count; a check is synchronous and never waits for anything,
 * so that one count serves every schema.
 */
let allowed = 0
let left = 0
let depth = 0

/** How deep references may lead into a value: far beyond any real one, far above the end of the stack. */
const MAX_DEPTH = 256

export const LESS_WORK = 'a value that takes less work to check'

/** Thrown where a check stops because it would take too much. */
export class Overrun extends Error {}

export function begin(steps: number): void {
  allowed = steps
  left = steps
  depth = 0
}

/** What the last check took. */
export function stepsTaken(): number {
  return allowed - Math.max(left, 0)
}

export function spend(steps: number): void {
  left -= steps
  if (left < 0) throw new Overrun(LESS_WORK)
}

export function descend(): void {
  spend(1)
  depth += 1
  if (depth > MAX_DEPTH) throw new Overrun(`at most ${MAX_DEPTH} levels`)
}

export function ascend(): void {
  depth -= 1
}
