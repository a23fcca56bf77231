/**
 * Characters that change how their neighbours are read, or that nobody sees: controls, directions, tags, fillers. Two
 * that join what is beyond Latin letters are seen by what they do, and so is one that has a sign drawn as a picture.
 */
const UNSEEN =
  /(?![\t\n\r]|(?<=[^\0-\u024f])[\u200c\u200d](?=[^\0-\u024f])|(?<!\p{DI})[\ufe0e\ufe0f])[\p{Cc}\p{DI}\u2028\u2029\ufff9-\ufffb]/gu

export interface TextPart {
  readonly text: string
  /** The code of a character that would not be seen. */
  readonly code?: string
}

/** Text cut where something in it would not be seen. */
export function splitUnseen(text: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const match of text.matchAll(UNSEEN)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index) })
    parts.push({ text: match[0], code: codeOf(match[0]) })
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** The same as one string, for places that take no elements. */
export function showUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => `⟨${codeOf(character)}⟩`)
}

/** The beginning of a text, never half a character. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const end = /[\ud800-\udbff]/.test(text[length - 1] ?? '') ? length - 1 : length
  return text.slice(0, end)
}

const encoder = new TextEncoder()

/** About how many tokens a model would read: bytes by 3.6. */
export function estimateTokens(value: unknown): number {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return Math.ceil(bytesOf(text) / 3.6)
}

export function bytesOf(text: string): number {
  return text.length > 1_000_000 ? text.length : encoder.encode(text).length
}

/** 950, 1.2k, 48k, 3.1M. */
export function short(count: number): string {
  const [unit, by] = count >= 999_500 ? ['M', 1_000_000] : count >= 1000 ? ['k', 1000] : ['', 1]
  const scaled = count / Number(by)
  return `${unit !== '' && scaled < 10 ? scaled.toFixed(1) : Math.round(scaled)}${unit}`
}

/** 0.4 ms, 12 ms, 3.4 s, 2 min. */
export function duration(ms: number): string {
  if (ms < 1) return `${ms.toFixed(1)} ms`
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.round(ms / 60_000)} min`
}

export function clockTime(time: number): string {
  const at = new Date(time)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, '0')}`
}

/** Links go to pages and to mail, and nowhere else. */
export function safeLink(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined
  const url = new URL(href)
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined
}

/** What was written with percent signs; nothing, where that has no meaning. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
