import { isObject, type JsonObject } from '../../kernel/index.ts'
import type { ShownOffer } from './choice.ts'

/** Tools, each shown by a page of its own server's, whatever others call theirs. */
export function withOwnPages(
  tools: readonly ShownOffer[],
  keyOf: (uri: string) => string,
): readonly ShownOffer[] {
  return tools.map((shown) => ({ ...shown, listed: withOwnPage(shown.listed, keyOf) }))
}

function withOwnPage(tool: JsonObject, keyOf: (uri: string) => string): JsonObject {
  const meta = tool['_meta']
  if (!isObject(meta)) return tool
  const { ui } = meta
  if (!isObject(ui) || typeof ui['resourceUri'] !== 'string') return tool
  return { ...tool, _meta: { ...meta, ui: { ...ui, resourceUri: keyOf(ui['resourceUri']) } } }
}
