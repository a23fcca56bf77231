import { checkPrintable } from '../check/printable.ts'
import type { ContentBlock } from '../definitions/content.ts'
import { isObject, type JsonObject } from '../jsonrpc/message.ts'
import { checkBytes } from './check-bytes.ts'

/** A tool's result, complete, in the newest revision's words. */
export interface Output {
  readonly content: readonly ContentBlock[]
  readonly isError: boolean
  readonly structuredContent?: unknown
  readonly _meta?: JsonObject
}

/** Whatever a tool returns says something: text, data with its text, or a whole result. */
export function toOutput(returned: unknown): Output {
  if (typeof returned === 'string') return { content: [{ type: 'text', text: returned }], isError: false }
  if (returned === undefined) return { content: [], isError: false }
  checkBytes(returned)
  checkPrintable(returned, 'The tool')
  if (isToolResult(returned)) return completed(returned)
  return { content: [asText(returned)], isError: false, structuredContent: returned }
}

/** The same with the data that an output schema has made of what was returned. */
export function toOutputOf(structuredContent: unknown, returned: unknown): Output {
  const isWhole = isToolResult(returned)
  checkBytes(isWhole ? { ...returned, structuredContent } : structuredContent)
  checkPrintable(structuredContent, 'The tool')
  return completed(isWhole ? { ...returned, structuredContent } : { structuredContent })
}

/** The data in what a tool returned. */
export function structuredIn(returned: unknown): unknown {
  return isToolResult(returned) ? returned.structuredContent : returned
}

/** Whether a tool says that it could not do what it was asked, which need not fit any schema. */
export function isFailure(returned: unknown): boolean {
  return isToolResult(returned) && returned.isError === true
}

/** A whole result is told from plain data by its content blocks. */
function isToolResult(value: unknown): value is Partial<Output> {
  if (!isObject(value)) return false
  const { content } = value
  if (content === undefined) return 'structuredContent' in value || typeof value['isError'] === 'boolean'
  return (
    Array.isArray(content) && content.every((block) => isObject(block) && typeof block['type'] === 'string')
  )
}

/** The text is for clients that know no structured content, and for models. */
function completed(result: Partial<Output>): Output {
  const { content, structuredContent, isError = false } = result
  const described = content ?? (structuredContent === undefined ? [] : [asText(structuredContent)])
  return { ...result, content: described, isError }
}

function asText(value: unknown): ContentBlock {
  return { type: 'text', text: typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)) }
}
