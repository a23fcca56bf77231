import { revision as previous } from './2025-11-25.ts'
import type { Revision } from './revision.ts'

/** These gave way to `_meta` on every request, `subscriptions/listen` and input-required results. */
const REMOVED = ['initialize', 'ping', 'resources/subscribe', 'resources/unsubscribe', 'logging/setLevel']

/** https://modelcontextprotocol.io/specification/2026-07-28/changelog */
export const revision: Revision = {
  ...previous,
  id: '2026-07-28',
  opening: 'every-request',
  requests: [
    ...previous.requests.filter((method) => !REMOVED.includes(method)),
    'server/discover',
    'subscriptions/listen',
  ],
  asking: 'retry',
  elicitationId: false,
  logLevel: 'by-request',
  priming: false,
  codes: { resourceNotFound: -32602 },
  structured: 'any',
  results: 'stamped',
}
