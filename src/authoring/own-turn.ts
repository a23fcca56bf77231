let last: Promise<unknown> = Promise.resolve()

/**
 * Resolves in a turn of the loop in which it resolves for nobody else. Whoever works for long waits for it before every
 * piece: many who do so at once hold the loop no longer than one piece takes, however many they are.
 */
export function ownTurn(): Promise<unknown> {
  last = last.then(() => new Promise(setImmediate))
  return last
}
