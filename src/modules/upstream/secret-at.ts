import type { SecretForm } from './secret-forms.ts'

/** Most differ there, and it costs little. */
export function isLikely({ head }: SecretForm, text: string, at: number): boolean {
  return text.charCodeAt(at + head.length - 1) === head.charCodeAt(head.length - 1)
}

/** Up to where it is a secret that begins here, be it the whole of one or not, also over lines; undefined where none does. */
export function knownTo(
  { head, rest, isWord }: SecretForm,
  text: string,
  at: number,
): KnownSecret | undefined {
  let end = at + head.length
  if (!text.startsWith(head, at)) return undefined
  if (isWord && !isWordAt(text, at, end)) return undefined
  let known = 0
  while (known < rest.length) {
    const letter = rest.charCodeAt(known)
    const next = text.charCodeAt(end) === letter ? end : afterBreak(text, end)
    if (text.charCodeAt(next) !== letter) break
    end = next + 1
    known++
  }
  return { end, isWhole: known === rest.length }
}

interface KnownSecret {
  readonly end: number
  readonly isWhole: boolean
}

/** Where the next line begins, if one ends here; long words are broken into lines as they are, and in base64. */
function afterBreak(text: string, at: number): number {
  BREAK.lastIndex = at
  return BREAK.test(text) ? BREAK.lastIndex : at
}

/** As it is, and in JSON. */
const BREAK = /\r?\n|(?:\\r)?\\n/y

/** How long a character may become that is escaped, as in `\\u002f`. */
const LONGEST_ESCAPED = 6

/** Who has begun to tell it may go on in a way that is not known here. */
export function endOfWord(text: string, from: number, left: number): number {
  const most = from + LONGEST_ESCAPED * left
  let end = from
  while (end < most && WITHIN.test(text.charAt(end))) end++
  return end
}

const WITHIN = /[^\s"'<>`,()[\]{}…]/

/** What comes after it holds a part of it, where it is in base64. */
export function endOfBase64(text: string, known: number, after: number): number {
  if (after === 0) return known
  const from = afterBreak(text, known) + after
  let end = from
  while (text[end] === '=' && end < from + 2) end++
  return end
}

/** Whether no word goes on over its ends; what is escaped before it is no letter of one. */
function isWordAt(text: string, begin: number, end: number): boolean {
  if (LETTER.test(text.charAt(end - 1)) && LETTER.test(text.charAt(end))) return false
  if (!LETTER.test(text.charAt(begin)) || !LETTER.test(text.charAt(begin - 1))) return true
  return ESCAPED.test(text.slice(Math.max(0, begin - 6), begin))
}

const LETTER = /[\p{L}\p{N}_]/u
const ESCAPED = /(?:%[\da-f]{2}|\\[bfnrt]|\\u[\da-f]{4})$/i
