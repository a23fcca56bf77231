/** The kernel's face: the only kernel file that other folders may import. */
export {
  type Answers,
  type Elicited,
  elicit,
  elicitUrl,
  listRoots,
  Needs,
  type NeedsOptions,
  needs,
  type Question,
  type Questions,
  type Roots,
  type Sampled,
  type SampleRequest,
  sample,
} from './asking/needs.ts'
export { isGranted, ownerOf } from './audience.ts'
export type {
  Call as AuthorCall,
  Connection,
  Handler as AuthorHandler,
  Middleware as AuthorMiddleware,
  Observer as AuthorObserver,
  OfferList,
  Server as AuthorServer,
  ServerEvent,
} from './authors.ts'
export {
  BUDGET_NAMES,
  BUDGETS,
  type BudgetName,
  type Budgets,
  flagOf,
  settleBudgets,
  type Usage,
} from './budgets.ts'
export { Call, type Handler, type Middleware, type Outcome, type ToolWatch, watch } from './call.ts'
export type { Offers } from './catalogue.ts'
export { overBudget } from './check/budget.ts'
export { icons } from './check/common.ts'
export { cut, describe } from './check/describe.ts'
export {
  anything,
  type Check,
  callable,
  expecting,
  flag,
  listOf,
  type Members,
  membersOf,
  number,
  object,
  oneOf,
  text,
  texts,
} from './check/members.ts'
export { settle } from './check/options.ts'
export { findString } from './check/params.ts'
export { checkServer, refuseLoading } from './check/serving.ts'
export { suggest } from './check/suggest.ts'
export { createServer } from './create-server.ts'
export { checkDialect, DEFAULT_DIALECT, type Dialect } from './dialect.ts'
export { type KernelEvent, type Observer, ObserverError } from './events.ts'
export type { Extension } from './extension.ts'
export { FAULTS, Fault, type FaultName, toWire } from './faults.ts'
export {
  type Id,
  type Incoming,
  isObject,
  type Json,
  type JsonObject,
  type Message,
  type Outgoing,
  type Refused,
  type Reply,
  type Request,
  type Result,
  type Telling,
  type WireError,
} from './jsonrpc/message.ts'
export { parse, refuse, refuseUnparsed } from './jsonrpc/parse.ts'
export { print } from './jsonrpc/print.ts'
export type { Deliver, Link } from './link.ts'
export { findLoading, type Loading, whileLoading } from './loading.ts'
export { LOG_LEVELS, type LogLevel } from './log-level.ts'
export { META } from './meta.ts'
export { findMethod } from './methods/index.ts'
export { listCache } from './methods/listing.ts'
export { type HeaderArgument, headerArguments } from './offers/header-arguments.ts'
export type { Outlet } from './outlet.ts'
export { type Introduction, type Peer, readIntroduction, toPeer, unsupportedVersion } from './peer.ts'
export type { Platform, Sealer } from './platform.ts'
export type { Carrier, Principal } from './principal.ts'
export type {
  Annotations,
  ContentBlock,
  Icon,
  ResourceContents,
  ToolResult,
} from './protocol/content.ts'
export type { CacheHint, Implementation } from './protocol/implementation.ts'
export type {
  Completer,
  PromptArgument,
  PromptDefinition,
  PromptDescription,
  PromptMessage,
  PromptOutput,
} from './protocol/prompt.ts'
export type {
  ResourceDefinition,
  ResourceDescription,
  ResourceOutput,
  ResourceTemplateDefinition,
  TemplateDescription,
} from './protocol/resource.ts'
export type { ToolAnnotations, ToolDefinition, ToolDescription } from './protocol/tool.ts'
export { findRevision, NEWEST, NEWEST_HANDSHAKE, OLDEST, REVISIONS } from './revisions/index.ts'
export type { Revision } from './revisions/revision.ts'
export { insufficientScope, knownScopes, missingScopes, neededScopes, unknownScopes } from './scopes.ts'
export type { Server } from './server.ts'
export { DEFAULT_SETTINGS, SETTING_CHECKS, type Settings } from './settings.ts'
export type { AppendOptions, Entry, Item, PutOptions, Store } from './store.ts'
export { lackOfRoom } from './underway.ts'
export type { Problem, Reading, Shape, Validator } from './validator.ts'
export { weighText } from './weight.ts'
