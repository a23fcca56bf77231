/** The kernel's face: the only kernel file that other folders may import. */
export { type MissingCapability, missingCapability } from './asking/capability.ts'
export { askOnBehalf } from './asking/index.ts'
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
export {
  BUDGET_NAMES,
  BUDGETS,
  type BudgetName,
  type Budgets,
  flagOf,
  settleBudgets,
} from './budgets/budgets.ts'
export { overBudget, roomFault } from './budgets/check.ts'
export { Ledger } from './budgets/ledger.ts'
export type { Traced } from './budgets/traced.ts'
export type { Usage } from './budgets/usage.ts'
export { CALL, MEMBER, OBJECT, weigh, weighText } from './budgets/weight.ts'
export { isFor, isGranted, ownerOf } from './callers/audience.ts'
export { FairPlaces, type PlaceWish } from './callers/places.ts'
export type { Carrier, Principal } from './callers/principal.ts'
export type { Bound, ResultBounds, ResultOf } from './calls/bounds.ts'
export { Call, type Handler } from './calls/call.ts'
export { complainOnce, type KernelEvent, type KernelObserver, shield } from './calls/events.ts'
export type { Extension } from './calls/extension.ts'
export { findRelayed } from './calls/find-relayed.ts'
export type { InterestWatcher } from './calls/interest.ts'
export { isInvoked } from './calls/invoked.ts'
export type { Part } from './calls/lifecycle.ts'
export type { Deliver, Link } from './calls/link.ts'
export { ANYTHING, type Listener, type ListName } from './calls/listener.ts'
export { type Middleware, type Outcome, watch, wrap } from './calls/middleware.ts'
export { notFound } from './calls/not-found.ts'
export { NOWHERE, type Outlet } from './calls/outlet.ts'
export { Passing } from './calls/passing.ts'
export { type Peer, unsupportedVersion } from './calls/peer.ts'
export type { ClientRefusal } from './calls/questions.ts'
export type { ChangedTool, RelayedServer, RelayedState } from './calls/relayed-server.ts'
export { AWAITED, MISSING, type RelayedExtensions } from './calls/relaying.ts'
export { insufficientScope, knownScopes, neededScopes, unknownScopes } from './calls/scopes.ts'
export type { FittingFor, Server } from './calls/server.ts'
export { tell } from './calls/tell.ts'
export type { ToolWatch } from './calls/tool-watch.ts'
export { isTurnedAway, turnAway } from './calls/turned-away.ts'
export type { MessageWatcher } from './calls/watched.ts'
export type { Offers } from './catalogue/catalogue.ts'
export type { Source } from './catalogue/find-source.ts'
export type { FrontOptions } from './catalogue/front.ts'
export type { HeaderArgument } from './catalogue/header-annotations.ts'
export { headerArguments } from './catalogue/header-arguments.ts'
export type { Origin } from './catalogue/origin.ts'
export { icons } from './check/common.ts'
export {
  anything,
  type Check,
  callable,
  expecting,
  flag,
  later,
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
export { checkOptionalString, checkString, findString } from './check/params.ts'
export { checkServer, refuseLoading } from './check/serving.ts'
export { checkStore } from './check/store.ts'
export { createServer } from './create-server.ts'
export type {
  Call as AuthorCall,
  Connection,
  Handler as AuthorHandler,
  Middleware as AuthorMiddleware,
  Observer as AuthorObserver,
  Offered,
  OfferList,
  Server as AuthorServer,
  ServerEvent,
} from './definitions/authors.ts'
export type {
  Annotations,
  AudioBlock,
  ContentBlock,
  Icon,
  ImageBlock,
  ResourceBlock,
  ResourceContents,
  ResourceLinkBlock,
  TextBlock,
  ToolResult,
} from './definitions/content.ts'
export type { CacheHint, Implementation } from './definitions/implementation.ts'
export { LISTENING } from './definitions/listening.ts'
export type {
  Completer,
  PromptArgument,
  PromptDefinition,
  PromptDescription,
  PromptMessage,
  PromptOutput,
} from './definitions/prompt.ts'
export type { Relayed, TasksElsewhere } from './definitions/relayed.ts'
export type {
  ResourceDefinition,
  ResourceDescription,
  ResourceOutput,
  ResourceTemplateDefinition,
  TemplateDescription,
} from './definitions/resource.ts'
export type { ResultBudget, ToolAnnotations, ToolDefinition, ToolDescription } from './definitions/tool.ts'
export { checkDialect, DEFAULT_DIALECT, type Dialect } from './dialect.ts'
export { type Codes, FAULTS, Fault, type FaultName, legible, plainFault, Told, toWire } from './faults.ts'
export { fitBlocks } from './fitting/content.ts'
export { MAX_DEPTH, tooDeep } from './jsonrpc/depth.ts'
export { endOfString } from './jsonrpc/depth-of.ts'
export {
  type Id,
  type Incoming,
  isObject,
  type Json,
  type JsonObject,
  type Message,
  type Notification,
  type Outgoing,
  type Refused,
  type Reply,
  type Request,
  type Response,
  type Result,
  type ServerRequest,
  type WireError,
} from './jsonrpc/message.ts'
export { type ParseLimits, parse, refuse, refuseUnparsed } from './jsonrpc/parse.ts'
export { parseJson } from './jsonrpc/parse-json.ts'
export { print, printPart } from './jsonrpc/print.ts'
export { readError } from './jsonrpc/read-error.ts'
export { findLoading, type Loading, whileLoading } from './loading.ts'
export { isAtLeast, LOG_LEVELS, type LogLevel } from './log-level.ts'
export { META } from './meta.ts'
export { type Agreement, agreementOf, isAgreement, restore } from './methods/agreement.ts'
export { listCache } from './methods/listing.ts'
export { strictest } from './methods/relayed-list.ts'
export { once } from './once.ts'
export { LONGEST_MS, type Platform, type Sealer } from './ports/platform.ts'
export type {
  OpenSandbox,
  Sandbox,
  SandboxedScript,
  ScriptCall,
  ScriptEnd,
  ScriptLimits,
  ScriptStep,
  SettledCall,
} from './ports/sandbox.ts'
export type {
  AppendOptions,
  EnterOptions,
  Entry,
  Item,
  PutOptions,
  Rate,
  Store,
  StoreOperation,
} from './ports/store.ts'
export type { Problem, Reading, Shape, Validator } from './ports/validator.ts'
export { cancelReason } from './receive/cancel-reason.ts'
export { sayingOf, type TextReply, textReply } from './receive/letters.ts'
export { describeLost, type LostCall, lostReply } from './receive/lost.ts'
export { findRevision, NEWEST, NEWEST_HANDSHAKE, OLDEST, REVISIONS } from './revisions/index.ts'
export type { Fields, Revision } from './revisions/revision.ts'
export { DEFAULT_SETTINGS, SETTING_CHECKS, type Settings } from './settings.ts'
export { TaskElsewhere } from './tasks/task-elsewhere.ts'
export { VERSION } from './version.ts'
export { cut, describe, tame } from './words/describe.ts'
export { suggest } from './words/suggest.ts'
