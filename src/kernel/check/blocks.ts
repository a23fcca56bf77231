import type { ContentBlock } from '../definitions/content.ts'
import { isObject, type JsonObject } from '../jsonrpc/message.ts'
import { describe } from '../words/describe.ts'
import { Mistake } from '../words/mistake.ts'
import { flag, object } from './members.ts'

/** The strings that each kind of block must have. */
const NEEDED: Record<ContentBlock['type'], readonly string[]> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource: [],
  resource_link: ['uri', 'name'],
}

/** Throws a TypeError when a tool gave a result that is none. */
export function checkOutput({ content, isError, _meta }: GivenOutput, tool: string): void {
  checkBlocks(content, tool)
  if (typeof isError !== 'boolean') flag(isError, `The tool ${tool} gave isError`)
  if (_meta !== undefined) object(_meta, `The tool ${tool} gave _meta`)
}

interface GivenOutput {
  readonly content: readonly unknown[]
  readonly isError: unknown
  readonly _meta?: unknown
}

/** Throws a TypeError when an author's function gave a block that no client could read. */
export function checkBlocks(blocks: readonly unknown[], tool: string): void {
  for (let at = 0; at < blocks.length; at++) {
    const wrong = wrongBlock(blocks[at])
    if (wrong !== undefined) throw new Mistake(`The tool ${tool} gave content[${at}]${wrong}`)
  }
}

/** What is wrong with a block, from its place on; looked at for every answer, so it makes nothing when all is well. */
export function wrongBlock(block: unknown): string | undefined {
  if (!isObject(block)) return `: expected a content block, got ${describe(block)}`
  const { type } = block
  const isBare = block['annotations'] === undefined && block['_meta'] === undefined
  if (type === 'text' && isBare && typeof block['text'] === 'string') return undefined
  if (typeof type !== 'string' || !Object.hasOwn(NEEDED, type))
    return `.type: expected one of ${Object.keys(NEEDED).join(', ')}, got ${describe(type)}`
  return wrongMember(block, NEEDED[type as ContentBlock['type']]) ?? (isBare ? undefined : wrongBeside(block))
}

function wrongMember(block: JsonObject, needed: readonly string[]): string | undefined {
  const missing = needed.find((name) => typeof block[name] !== 'string')
  if (missing !== undefined) return `.${missing}: expected a string, got ${describe(block[missing])}`
  if (block['type'] !== 'resource') return undefined
  const wrong = wrongContents(block['resource'])
  return wrong === undefined ? undefined : `.resource${wrong}`
}

/** What is wrong with what a resource holds, from its place on. */
export function wrongContents(contents: unknown): string | undefined {
  if (!isObject(contents)) return `: expected { uri, text } or { uri, blob }, got ${describe(contents)}`
  const { uri, text, blob, mimeType, _meta } = contents
  if (typeof uri !== 'string') return `.uri: expected a string, got ${describe(uri)}`
  if (text === undefined && blob === undefined) return ': expected text or blob beside its uri, got neither'
  if (text !== undefined && typeof text !== 'string') return `.text: expected a string, got ${describe(text)}`
  if (blob !== undefined && typeof blob !== 'string')
    return `.blob: expected a string, bytes.toString('base64'), got ${describe(blob)}`
  if (mimeType !== undefined && typeof mimeType !== 'string')
    return `.mimeType: expected a string, got ${describe(mimeType)}`
  return _meta === undefined || isObject(_meta)
    ? undefined
    : `._meta: expected an object, got ${describe(_meta)}`
}

/** What is wrong with what stands beside the content of a block. */
function wrongBeside({ annotations = {}, _meta = {} }: JsonObject): string | undefined {
  if (!isObject(_meta)) return `._meta: expected an object, got ${describe(_meta)}`
  if (!isObject(annotations)) return `.annotations: expected an object, got ${describe(annotations)}`
  const { audience = [], priority = 0, lastModified = '' } = annotations
  if (!Array.isArray(audience) || audience.some((one) => one !== 'user' && one !== 'assistant'))
    return `.annotations.audience: expected an array of 'user' and 'assistant', got ${describe(audience)}`
  if (typeof priority !== 'number')
    return `.annotations.priority: expected a number, got ${describe(priority)}`
  if (typeof lastModified === 'string') return undefined
  return `.annotations.lastModified: expected a string, got ${describe(lastModified)}`
}
