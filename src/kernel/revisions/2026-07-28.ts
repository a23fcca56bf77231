import { revision as previous } from './2025-11-25.ts'
import type { Revision } from './revision.ts'

/** These gave way to `_meta` on every request, `subscriptions/listen`, input-required results and an extension. */
const REMOVED = [
  'initialize',
  'ping',
  'resources/subscribe',
  'resources/unsubscribe',
  'logging/setLevel',
  'tasks/get',
  'tasks/result',
  'tasks/list',
  'tasks/cancel',
]

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
  tasks: 'extension',
  capabilities: previous.capabilities.filter((name) => name !== 'tasks'),
  elicitationId: false,
  logLevel: 'by-request',
  priming: false,
  codes: { resourceNotFound: -32602 },
  structured: 'any',
  results: 'stamped',
  fields: { ...previous.fields, tool: previous.fields.tool.filter((field) => field !== 'execution') },
}
