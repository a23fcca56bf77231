/** The public API. */
export {
  defineModule,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  type Module,
} from './authoring/define.ts'
export type { Embed, ServerDefinition } from './authoring/define-server.ts'
export { elicit, type Form } from './authoring/elicit.ts'
export { defineServer } from './authoring/for-authors.ts'
export {
  type KeptDefinitions,
  type KeptOffers,
  type KeptOptions,
  keepOffers,
} from './authoring/kept/index.ts'
export { mount } from './authoring/mount.ts'
export { ErrorReply } from './client/errors.ts'
export type { CallToolResult } from './client/results.ts'
export { createTestClient, type TestClient, type TestClientOptions } from './client/test-client.ts'
export {
  type Annotations,
  type Answers,
  type AuthorCall as Call,
  type AuthorHandler as Handler,
  type AuthorMiddleware as Middleware,
  type AuthorObserver as Observer,
  type AuthorServer as Server,
  type CacheHint,
  type ContentBlock,
  type Dialect,
  type Elicited,
  elicitUrl,
  Fault,
  type Icon,
  type LogLevel,
  listRoots,
  Needs,
  needs,
  type Principal,
  type PromptDefinition,
  type ResourceDefinition,
  type ResourceTemplateDefinition,
  type ResultBudget,
  type ServerEvent,
  type Store,
  sample,
  type ToolDefinition,
  type ToolResult,
  watch,
} from './kernel/index.ts'
export { type RateLimitOptions, rateLimit } from './middleware/limit.ts'
export {
  type JsonLinesOptions,
  jsonLines,
  openTelemetry,
  prometheus,
  type Sink,
  type TelemetryOptions,
  type TelemetryRecord,
  telemetry,
} from './middleware/telemetry/index.ts'
export { type TimeoutOptions, timeout } from './middleware/timeout.ts'
export { openStore } from './stores/index.ts'
export { MemoryStore, type MemoryStoreOptions } from './stores/memory.ts'
export {
  type ApiKey,
  type ApiKeysOptions,
  apiKeys,
  parseKeyFile,
  parseKeys,
} from './transports/http/auth/api-keys.ts'
export { type OAuthOptions, oauth } from './transports/http/auth/oauth.ts'
export {
  type Authenticate,
  type Authenticator,
  createFetchHandler,
  createNodeHandler,
  type Exchange,
  type FetchHandler,
  type HttpMiddleware,
  type HttpOptions,
  type HttpRequest,
  type HttpServer,
  type NodeHandler,
  type Page,
  type Refusal,
  refusal,
  type ServeHttpOptions,
  serveHttp,
  withHeaders,
} from './transports/http/index.ts'
export { type ServeStdioOptions, serveStdio } from './transports/stdio/index.ts'
export type * from './types.ts'
