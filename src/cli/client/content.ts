import { type ContentBlock, isObject, type ResourceContents } from '../../kernel/index.ts'

/** A piece of a result as a person reads it; what is no text is told of. */
export function printContent(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return `[${block.type}: ${block.mimeType}, ${sizeOf(block.data)} bytes]`
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`
    case 'resource':
      return printContents(block.resource)
    default:
      return JSON.stringify(block)
  }
}

/** What was read, or what is told of it where it is no text. */
export function printContents(contents: ResourceContents): string {
  if ('text' in contents && typeof contents.text === 'string') return contents.text
  const { uri, mimeType = 'bytes' } = contents
  return `[${uri}: ${mimeType}, ${bytesOf(contents)?.length ?? 0} bytes]`
}

/** The bytes of what is no text. */
export function bytesOf(contents: ResourceContents): Buffer | undefined {
  return 'blob' in contents && typeof contents.blob === 'string'
    ? Buffer.from(contents.blob, 'base64')
    : undefined
}

function sizeOf(data: unknown): number {
  return typeof data === 'string' ? Buffer.byteLength(data, 'base64') : 0
}

/** A whole result of a tool: its content, or its structured content where it has no other. */
export function printResult(result: {
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: unknown
}): string {
  const { content, structuredContent } = result
  const printed = content.map((block) => (isObject(block) ? printContent(block) : '')).join('\n')
  return printed === '' && structuredContent !== undefined
    ? JSON.stringify(structuredContent, undefined, 2)
    : printed
}
