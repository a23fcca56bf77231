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
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}
