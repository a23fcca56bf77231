import { isObject, type Result } from '../../kernel/index.ts'

/** What a result says in words; what is no text is named. */
export function textOf({ content }: Result): string {
  return Array.isArray(content) ? content.filter(isObject).map(wordsOf).join('\n') : ''
}

function wordsOf(block: { readonly [key: string]: unknown }): string {
  const { type, text, uri, mimeType, resource } = block
  if (typeof text === 'string') return text
  if (isObject(resource)) return wordsOf({ type: 'resource', ...resource })
  return `[${[type, uri, mimeType].filter((one) => typeof one === 'string').join(' ')}]`
}
