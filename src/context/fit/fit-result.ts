import { type ContentBlock, isObject, type Result, type ResultOf } from '../../kernel/index.ts'
import { isPromised } from '../budget/promised.ts'
import type { ShownParts } from '../shown-parts.ts'
import { TEXT } from './opened.ts'
import { findUnsaid, sayAll } from './same-words.ts'

/** The same where its schema lets it be so, and else as much of that as it lets. */
export function fitResult(shows: ShownParts, whole: Result, given: ResultOf): Result | Promise<Result> {
  const told = tellAll(shows, whole)
  const { structuredContent: data } = told
  if (data === undefined || data === whole['structuredContent']) return told
  return isPromised(data, given).then((isSo) =>
    isSo ? told : { ...told, structuredContent: whole['structuredContent'] },
  )
}

/** A result that says all it says in the part of it that a host shows its model. */
export function tellAll(shows: ShownParts, whole: Result): Result {
  if (!Array.isArray(whole['content'])) return whole
  const result = withWords(shows.lost ?? [], whole)
  const { structuredContent: data, isError, ...rest } = result
  if (data === undefined) return result
  const content = result['content'] as readonly ContentBlock[] // As was seen above.
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  const part = isError === true ? shows.failed : shows.given
  if (part === 'text') return withData(result, texts, data)
  // What is shown alone would hide a picture; as text it does not.
  if (shows.alone === true && texts.length < content.length)
    return withData({ ...rest, ...(isError !== undefined && { isError }) }, texts, data)
  return withText(result, texts)
}

/** What a host shows in no way is told in words. */
function withWords(lost: readonly string[], result: Result): Result {
  const content = result['content'] as readonly ContentBlock[] // As was seen above.
  if (!content.some(({ type }) => lost.includes(type))) return result
  return { ...result, content: content.map((block) => (lost.includes(block.type) ? inWords(block) : block)) }
}

function inWords(block: ContentBlock): ContentBlock {
  if (block.type === 'resource_link') {
    const said = [block.title ?? block.name, block.uri, block.mimeType, block.description]
    return { type: 'text', text: `[A link: ${said.filter((one) => one !== undefined).join(', ')}]` }
  }
  const { type, mimeType = 'of no known kind' } = block as {
    readonly type: string
    readonly mimeType?: string
  }
  return { type: 'text', text: `[${type}, ${mimeType}, which cannot be shown here]` }
}

function withData(result: Result, texts: readonly string[], data: unknown): Result {
  if (sayAll(texts, data)) return result
  const content = result['content'] as readonly unknown[] // As was seen above.
  return { ...result, content: [...content, { type: 'text', text: JSON.stringify(data) }] }
}

function withText(result: Result, texts: readonly string[]): Result {
  const { structuredContent: data } = result
  if (!isObject(data) || TEXT in data) return result
  const unsaid = findUnsaid(texts, data)
  if (unsaid.length === 0) return result
  return { ...result, structuredContent: { ...data, [TEXT]: unsaid.join('\n') } }
}
