import { depthOf } from './depth-of.ts'

/**
 * Deeper values overflow the stack of whatever walks them, JSON.stringify included: what holds where nobody has said `maxNesting`.
 * @example console.error(`at most ${MAX_DEPTH} levels`)
 */
export const MAX_DEPTH = 256

/**
 * Counts brackets before JSON.parse, so that no deep value is ever built.
 * @example tooDeep('[[1]]')
 */
export function tooDeep(text: string, most: number = MAX_DEPTH): boolean {
  return text.length > most && openers(text, most) > most && depthOf(text) > most
}

/** A long text has few brackets as a rule, and then indexOf settles it without a walk. */
function openers(text: string, most: number): number {
  let count = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0 && count <= most; at = text.indexOf(bracket, at + 1)) count++
  }
  return count
}
