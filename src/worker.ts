/** The public API without what needs Node: for Workers, and for whatever else speaks `Request` and `Response`. */
export {
  defineModule,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  type Module,
} from './authoring/define.ts'
export type { ServerDefinition } from './authoring/define-server.ts'
export { elicit, type Form } from './authoring/elicit.ts'
export { defineServer } from './authoring/for-workers.ts'
export {
  type KeptDefinitions,
  type KeptOffers,
  type KeptOptions,
  keepOffers,
} from './authoring/kept/index.ts'
export { mount } from './authoring/mount.ts'
export { elicitUrl, Fault, listRoots, Needs, needs, sample, watch } from './kernel/index.ts'
export { type RateLimitOptions, rateLimit } from './middleware/limit.ts'
export { type JsonLinesOptions, jsonLines, prometheus, telemetry } from './middleware/telemetry/index.ts'
export { type TimeoutOptions, timeout } from './middleware/timeout.ts'
export { MemoryStore, type MemoryStoreOptions } from './stores/memory.ts'
export { refusal } from './transports/http/answers.ts'
export { type FetchHandler, openFetchHandler as createFetchHandler } from './transports/http/fetch.ts'
export { withHeaders } from './transports/http/middleware.ts'
export type * from './types.ts'
