import { isObject, type JsonObject } from '../../kernel/index.ts'
import type { ShownOffer } from './choice.ts'

/** Tools, each shown by a page of its own server's, whatever others call theirs. */
export function withOwnPages(
  tools: readonly ShownOffer[],
  keyOf: (uri: string) => string,
): readonly ShownOffer[] {
  return tools.map((shown) => ({ ...shown, listed: withOwnPage(shown.listed, keyOf) }))
}

/** Where older pages of hosts have it. */
const FLAT = 'ui/resourceUri'

function withOwnPage(tool: JsonObject, keyOf: (uri: string) => string): JsonObject {
  const meta = tool['_meta']
  if (!isObject(meta)) return tool
  const { ui, [FLAT]: flat } = meta
  const own = {
    ...(isObject(ui) &&
      typeof ui['resourceUri'] === 'string' && { ui: { ...ui, resourceUri: keyOf(ui['resourceUri']) } }),
    ...(typeof flat === 'string' && { [FLAT]: keyOf(flat) }),
  }
  return Object.keys(own).length === 0 ? tool : { ...tool, _meta: { ...meta, ...own } }
}
