import { tokensIn } from './tokens.ts'

/** How far back a space may be at which a line is cut that is too long. */
const NEARBY = 200

/** How many characters of a text there is room for: whole lines, or words of a line that is too long alone. */
export function textUpTo(room: number, text: string): number {
  let tokens = 0
  let kept = 0
  while (kept < text.length) {
    const end = text.indexOf('\n', kept)
    const next = end === -1 ? text.length : end + 1
    tokens += Math.max(1, tokensIn(text.slice(kept, next)))
    if (tokens > room) break
    kept = next
  }
  return kept > 0 ? kept : withinLine(room, text)
}

function withinLine(room: number, text: string): number {
  let kept = Math.min(text.length, Math.floor(room * 8))
  for (let tokens = tokensIn(text.slice(0, kept)); tokens > room; tokens = tokensIn(text.slice(0, kept)))
    kept = Math.floor(Math.min(kept - 1, (kept * room * 0.97) / tokens))
  if (kept <= 0) return 0
  if (kept === text.length) return kept
  const space = text.lastIndexOf(' ', kept - 1)
  return space > kept - NEARBY && space > 0 ? space + 1 : whole(kept, text)
}

/** A character that is two to JavaScript stays one. */
function whole(kept: number, text: string): number {
  const code = text.charCodeAt(kept)
  return code >= 0xdc00 && code <= 0xdfff ? kept - 1 : kept
}
