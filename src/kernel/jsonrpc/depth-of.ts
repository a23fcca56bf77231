const QUOTE = 34
const BACKSLASH = 92

/** How many arrays and objects of a text stand within each other. */
export function depthOf(text: string): number {
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

/**
 * Where the string that starts here ends, or the text.
 * @example endOfString('["a"]', 1) // 3
 */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    for (const near = at + NEAR; at < near; at++) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) return at
      if (code === BACKSLASH) at++
    }
    const from = at
    at = text.indexOf('"', from)
    if (at === -1) break
    if (!isEscaped(text, at, from)) return at
  }
  return text.length
}

/** Most strings are short; to look for the end of a long one letter by letter takes longer than to parse it. */
const NEAR = 32

/** Whether an odd number of backslashes stands before it, of those from here on. */
function isEscaped(text: string, at: number, from: number): boolean {
  let first = at
  while (first > from && text.charCodeAt(first - 1) === BACKSLASH) first--
  return (at - first) % 2 === 1
}
