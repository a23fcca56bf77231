import type { JsonObject } from '../jsonrpc/message.ts'
import { type HeaderArgument, readAnnotations } from './header-annotations.ts'

/**
 * Clients drop a tool with a wrong annotation without a word, so it is a TypeError here.
 * @example
 * const schema = { properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } }
 * const headers = headerArguments('query', schema)
 */
export function headerArguments(tool: string, schema: JsonObject): readonly HeaderArgument[] {
  return isAnnotated(schema) ? readAnnotations(tool, schema) : []
}

/** Nearly none is, and a server may have a hundred tools to define before it answers. */
function isAnnotated(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return 'x-mcp-header' in value || Object.values(value).some(isAnnotated)
}
