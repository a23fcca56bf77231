import { isObject, type JsonObject, type Result } from '../../kernel/index.ts'
import { tokensIn } from './tokens.ts'

/** A picture or a sound up to this length of base64 is shown as it is, since hosts show it as what it is. */
export const SHOWN_BYTES = 1024 * 1024

/** No character is more than a token and a half, and none is less than this. */
const [MOST, LEAST] = [1.5, 0.03]

/** The tokens of a result, pictures and sounds apart, and its data as JSON; about `enough` a short way suffices. */
export function weigh(
  { content, structuredContent: data }: Result,
  enough = 0,
): { readonly tokens: number; readonly said?: string | undefined } {
  const texts = (content as readonly unknown[]).filter((block) => binaryOf(block) === undefined).map(printed)
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (enough > 0 && length * LEAST > enough) return { tokens: length * LEAST }
  const said = data === undefined ? '' : printed(data)
  if ((length + said.length) * MOST <= enough) return { tokens: length + said.length }
  const own = tokensIn(said)
  const tokens = texts.reduce((sum, text) => sum + (text === said ? own : tokensIn(text)), own)
  return { tokens, said: data === undefined ? undefined : said }
}

function printed(value: unknown): string {
  if (isObject(value) && value['type'] === 'text' && typeof value['text'] === 'string') return value['text']
  return JSON.stringify(value) ?? ''
}

/** A picture or a sound. */
export function binaryOf(block: unknown): { readonly data: string; readonly mimeType: string } | undefined {
  if (!isObject(block) || (block['type'] !== 'image' && block['type'] !== 'audio')) return undefined
  const { data, mimeType } = block as JsonObject
  return typeof data === 'string' ? { data, mimeType: String(mimeType) } : undefined
}
