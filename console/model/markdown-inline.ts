import { safeLink } from './text.ts'

export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis' | 'strike'; readonly inline: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly inline: readonly Inline[] }
  | { readonly kind: 'break' }

const MOST_DEPTH = 4

/** One pass: what is first in the line decides, and none of the alternatives can be read in two ways. */
const MARK =
  /\\([!-/:-@[-`{-~])|`([^`\n]+)`|!?\[([^[\]\n]*)\]\(<?([^()\s<>]*)>?(?:\s+"[^"\n]*")?\)|\*\*([^*\n]+)\*\*|__([^_\n]+)__|~~([^~\n]+)~~|\*([^*\s][^*\n]*)\*|(?<![\w])_([^_\s][^_\n]*)_(?![\w])|<(https?:\/\/[^\s<>]+|mailto:[^\s<>]+)>|(https?:\/\/[^\s<>()"'`]+[^\s<>()"'`.,;:!?])|((?<! ) {2,}\n|\\\n)/g

/** The marks within a line. A link that leads nowhere safe is its text. */
export function parseInline(text: string, depth = 0): readonly Inline[] {
  const parts: Inline[] = []
  let from = 0
  for (const match of text.matchAll(MARK)) {
    if (match.index > from) parts.push({ kind: 'text', text: text.slice(from, match.index) })
    parts.push(...toInline(match, depth))
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) })
  return parts
}

function toInline(match: RegExpMatchArray, depth: number): readonly Inline[] {
  const [
    whole,
    escaped,
    code,
    label,
    target,
    strong,
    strong2,
    strike,
    emphasis,
    emphasis2,
    auto,
    bare,
    hard,
  ] = match
  const inside = (text: string): readonly Inline[] =>
    depth < MOST_DEPTH ? parseInline(text, depth + 1) : [{ kind: 'text', text }]
  if (escaped !== undefined) return [{ kind: 'text', text: escaped }]
  if (code !== undefined) return [{ kind: 'code', text: code }]
  if (label !== undefined)
    return linkTo(target ?? '', label === '' ? [{ kind: 'text', text: target ?? '' }] : inside(label))
  const heavy = strong ?? strong2
  if (heavy !== undefined) return [{ kind: 'strong', inline: inside(heavy) }]
  if (strike !== undefined) return [{ kind: 'strike', inline: inside(strike) }]
  const light = emphasis ?? emphasis2
  if (light !== undefined) return [{ kind: 'emphasis', inline: inside(light) }]
  if (hard !== undefined) return [{ kind: 'break' }]
  const address = auto ?? bare ?? whole
  return linkTo(address, [{ kind: 'text', text: address }])
}

function linkTo(target: string, inline: readonly Inline[]): readonly Inline[] {
  const href = safeLink(target)
  return href === undefined ? inline : [{ kind: 'link', href, inline }]
}
