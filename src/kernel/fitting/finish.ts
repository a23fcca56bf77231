import { isObject, type Result } from '../jsonrpc/message.ts'
import { META } from '../meta.ts'
import type { Implementation } from '../protocol/implementation.ts'
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
    const meta = result['_meta']
    const serverInfo = fitFields('implementation', server, revision)
    return {
      resultType: 'complete',
      ...result,
      _meta: isObject(meta) ? { [META.serverInfo]: serverInfo, ...meta } : { [META.serverInfo]: serverInfo },
    }
  },
}

export function finish(result: Result, revision: Revision, server: Implementation): Result {
  return FINISH[revision.results](result, revision, server)
}
