import type { ContentBlock, ResourceContents } from '../definitions/content.ts'
import type { CacheHint } from '../definitions/implementation.ts'
import { isObject, type JsonObject, type Result } from '../jsonrpc/message.ts'
import { META } from '../meta.ts'
import type { Revision } from '../revisions/revision.ts'
import { fitBlock, fitContents } from './content.ts'
import { omit } from './fields.ts'
import { fitsStructured } from './structured.ts'

/** What another server said of a result, which this one says itself. */
const OWN = ['resultType']

/** A tool's result as another server gave it, less what the revision has no word for. */
export function fitRelayedOutput(result: Result, revision: Revision): Result {
  const { content, structuredContent } = result
  const fitted = {
    ...unsigned(result),
    ...listOf('content', content, (one: ContentBlock) => fitBlock(one, revision)),
  }
  return structuredContent === undefined || fitsStructured(structuredContent, revision)
    ? fitted
    : omit(fitted, ['structuredContent'])
}

/** The contents of a resource, which keep for as long as the other server says. */
export function fitRelayedRead(result: Result, revision: Revision, otherwise: CacheHint): Result {
  const contents = listOf('contents', result['contents'], (one: ResourceContents) =>
    fitContents(one, revision),
  )
  return { ...otherwise, ...unsigned(result), ...contents }
}

/** The messages of a prompt. */
export function fitRelayedPrompt(result: Result, revision: Revision): Result {
  const fit = (one: JsonObject) =>
    isObject(one['content'])
      ? { ...one, content: fitBlock(one['content'] as unknown as ContentBlock, revision) }
      : one
  return { ...unsigned(result), ...listOf('messages', result['messages'], fit) }
}

/** A result without what another server said of it: whoever answers signs, and that is this server. */
export function unsigned(result: Result): Result {
  const { _meta } = result
  const bare = omit(result, OWN)
  if (!isObject(_meta) || !(META.serverInfo in _meta)) return bare
  const { [META.serverInfo]: _signature, ...rest } = _meta
  return Object.keys(rest).length === 0 ? omit(bare, ['_meta']) : { ...bare, _meta: rest }
}

/** What is no list of objects is the other server's mistake, and told as it is. */
function listOf<Entry>(name: string, list: unknown, narrow: (entry: Entry) => unknown): JsonObject {
  if (!Array.isArray(list)) return {}
  return { [name]: list.map((one) => (isObject(one) ? narrow(one as Entry) : one)) }
}
