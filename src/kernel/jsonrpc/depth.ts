/**
 * Deeper values overflow the stack of whatever walks them, JSON.stringify included.
 * @example console.error(`at most ${MAX_DEPTH} levels`)
 */
export const MAX_DEPTH = 256

/**
 * Counts brackets before JSON.parse, so that no deep value is ever built.
 * @example tooDeep('[[1]]')
 */
export function tooDeep(text: string): boolean {
  return openers(text) > MAX_DEPTH && depth(text) > MAX_DEPTH
}

/** A long text has few brackets as a rule, and then indexOf settles it without a walk. */
function openers(text: string): number {
  let count = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0 && count <= MAX_DEPTH; at = text.indexOf(bracket, at + 1))
      count++
  }
  return count
}

const QUOTE = 34
const BACKSLASH = 92

function depth(text: string): number {
  let open = 0
  let deepest = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === 123 || code === 91) deepest = Math.max(deepest, ++open)
    else if (code === 125 || code === 93) open--
  }
  return deepest
}

/** Where the string that starts here ends, or the text. */
export function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}
