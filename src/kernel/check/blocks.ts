import type { ContentBlock } from '../definitions/content.ts'
import { isObject, type JsonObject } from '../jsonrpc/message.ts'
import { describe } from '../words/describe.ts'
import { Mistake } from '../words/mistake.ts'

/** The strings that each kind of block must have. */
const NEEDED: Record<ContentBlock['type'], readonly string[]> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource: [],
  resource_link: ['uri', 'name'],
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
  if (type === 'text' && typeof block['text'] === 'string') return undefined
  if (typeof type !== 'string' || !Object.hasOwn(NEEDED, type))
    return `.type: expected one of ${Object.keys(NEEDED).join(', ')}, got ${describe(type)}`
  return wrongMember(block, NEEDED[type as ContentBlock['type']])
}

function wrongMember(block: JsonObject, needed: readonly string[]): string | undefined {
  const missing = needed.find((name) => typeof block[name] !== 'string')
  if (missing !== undefined) return `.${missing}: expected a string, got ${describe(block[missing])}`
  if (block['type'] !== 'resource' || isObject(block['resource'])) return undefined
  return `.resource: expected { uri, text } or { uri, blob }, got ${describe(block['resource'])}`
}
