import type { Implementation } from '../definitions/implementation.ts'
import { isObject, type JsonObject, type Result } from '../jsonrpc/message.ts'
import { META } from '../meta.ts'
import type { Revision } from '../revisions/revision.ts'
import { fitFields, omit } from './fields.ts'

const STAMPS = ['resultType', 'ttlMs', 'cacheScope']

/** The last touch on every result: older revisions know no stamps, the newest demands them. */
const FINISH: Record<
  Revision['results'],
  (result: Result, revision: Revision, server: Implementation) => Result
> = {
  bare: (result) => ('ttlMs' in result ? omit(result, STAMPS) : result),
  stamped: (result, revision, server) => {
    const signature = sign(server, revision)
    // Members after a spread are defined one by one, in the runtime, so what can stand before it does.
    if (!('_meta' in result)) return { resultType: 'complete', _meta: signature, ...result }
    const meta = result['_meta']
    return {
      resultType: 'complete',
      ...result,
      _meta: isObject(meta) ? { ...signature, ...meta } : signature,
    }
  },
}

const SIGNATURES = new WeakMap<Implementation, JsonObject>()

/** The server's name under every result: made once, since only one revision wants it, and frozen, to be printed once. */
function sign(server: Implementation, revision: Revision): JsonObject {
  const known = SIGNATURES.get(server)
  if (known !== undefined) return known
  const signature = Object.freeze({ [META.serverInfo]: fitFields('implementation', server, revision) })
  SIGNATURES.set(server, signature)
  return signature
}

export function finish(result: Result, revision: Revision, server: Implementation): Result {
  return FINISH[revision.results](result, revision, server)
}
