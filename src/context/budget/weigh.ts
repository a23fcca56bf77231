import { isObject, type JsonObject, type Result } from '../../kernel/index.ts'
import { tokensIn } from './tokens.ts'

/** A picture or a sound up to this length of base64 is shown as it is, since hosts show it as what it is. */
export const SHOWN_BYTES = 1024 * 1024

/** The tokens of a result, pictures and sounds apart; up to `enough` a short way suffices. */
export function tokensOf({ content, structuredContent }: Result, enough = 0): number {
  const blocks = (content as readonly unknown[]).filter((block) => binaryOf(block) === undefined)
  const texts = [...blocks, ...(structuredContent === undefined ? [] : [structuredContent])].map(printed)
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  // No character is more than a token and a half.
  return length * 1.5 <= enough ? length : texts.reduce((sum, text) => sum + tokensIn(text), 0)
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
