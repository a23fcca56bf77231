import type { ContentBlock, ResourceContents } from '../definitions/content.ts'
import type { CacheHint } from '../definitions/implementation.ts'
import { isObject, type JsonObject, type Result } from '../jsonrpc/message.ts'
import { META } from '../meta.ts'
import type { Revision } from '../revisions/revision.ts'
import { fitBlock, fitContents } from './content.ts'
import { omit } from './fields.ts'
import { fitsStructured } from './structured.ts'

/** A tool's result as another server gave it, less what the revision has no word for. */
export function fitRelayedOutput(result: Result, revision: Revision): Result {
  const fitted = fitEntries(result, 'content', (one: ContentBlock) => fitBlock(one, revision))
  const { structuredContent } = fitted
  return structuredContent === undefined || fitsStructured(structuredContent, revision)
    ? fitted
    : omit(fitted, ['structuredContent'])
}

/** The contents of a resource, which keep for as long as the other server says. */
export function fitRelayedRead(result: Result, revision: Revision, otherwise: CacheHint): Result {
  const fitted = fitEntries(result, 'contents', (one: ResourceContents) => fitContents(one, revision))
  return { ...otherwise, ...fitted }
}

/** The messages of a prompt. */
export function fitRelayedPrompt(result: Result, revision: Revision): Result {
  return fitEntries(result, 'messages', (one: JsonObject) =>
    isObject(one['content'])
      ? { ...one, content: fitBlock(one['content'] as unknown as ContentBlock, revision) }
      : one,
  )
}

/** A result without what another server said of it: whoever answers signs, and that is this server. */
export function unsigned(result: Result): { [key: string]: unknown } {
  const { resultType: _theirs, _meta, ...rest } = result
  if (_meta === undefined) return rest
  if (!isObject(_meta) || !(META.serverInfo in _meta)) return { _meta, ...rest }
  const { [META.serverInfo]: _signature, ...others } = _meta
  return Object.keys(others).length === 0 ? rest : { _meta: others, ...rest }
}

/** Unsigned, and with the entries of its list fitted; what is no list of objects is the other server's mistake, and told as it is. */
function fitEntries<Entry>(result: Result, name: string, fit: (entry: Entry) => unknown): Result {
  const fitted = unsigned(result)
  const list = fitted[name]
  if (Array.isArray(list)) fitted[name] = list.map((one) => (isObject(one) ? fit(one as Entry) : one))
  return fitted
}
