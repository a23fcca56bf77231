/** The types that stand in what the package exports, for whoever has to name them. */
export type {
  Arguments,
  Awaitable,
  FailedResult,
  Known,
  ReadOutput,
  Structured,
  StructuredResult,
  ToolOutput,
  TypedPrompt,
  TypedResource,
  TypedTemplate,
  TypedTool,
  Variables,
} from './authoring/define.ts'
export type { Accepted, FromJsonSchema, Infer } from './authoring/infer.ts'
export type { Answerer } from './client/test-client.ts'
export type {
  AppendOptions,
  AudioBlock,
  BudgetName,
  Budgets,
  Carrier,
  Codes,
  Completer,
  Connection,
  EnterOptions,
  Entry,
  Extension,
  FaultName,
  Fields,
  Id,
  ImageBlock,
  Implementation,
  Item,
  Json,
  JsonObject,
  NeedsOptions,
  Offered,
  OfferList,
  OpenSandbox,
  Outcome,
  Peer,
  PromptArgument,
  PromptDescription,
  PromptMessage,
  PromptOutput,
  PutOptions,
  Question,
  Questions,
  Rate,
  Request,
  ResourceBlock,
  ResourceContents,
  ResourceDescription,
  ResourceLinkBlock,
  ResourceOutput,
  Result,
  Revision,
  Roots,
  Sampled,
  SampleRequest,
  Sandbox,
  SandboxedScript,
  ScriptCall,
  ScriptEnd,
  ScriptLimits,
  ScriptStep,
  Settings,
  SettledCall,
  StoreOperation,
  TemplateDescription,
  TextBlock,
  ToolAnnotations,
  ToolDescription,
  Traced,
  Usage,
  WireError,
} from './kernel/index.ts'
export type { Telemetry } from './middleware/telemetry/index.ts'
export type { TelemetryClock } from './middleware/telemetry/options.ts'
export type {
  Allowing,
  CallEnding,
  ClosedRecord,
  CompletedRecord,
  CrashedRecord,
  InvokedRecord,
  NotedRecord,
  OpenedRecord,
  ReceivedRecord,
  StoredRecord,
  TurnedAwayRecord,
  UnreadableRecord,
} from './middleware/telemetry/records.ts'
export type { RecordSource } from './middleware/telemetry/sink.ts'
export type { OpenTelemetry, OpenTelemetryOptions } from './middleware/telemetry/sinks/open-telemetry.ts'
export type {
  Answerable,
  Prometheus,
  PrometheusOptions,
  Watched,
} from './middleware/telemetry/sinks/prometheus.ts'
export type { Subject } from './middleware/telemetry/subject.ts'
export type { OpenStoreOptions } from './stores/index.ts'
export type { DigestedKey, PlainKey } from './transports/http/auth/key-list.ts'
export type { HttpBudgets } from './transports/http/budgets.ts'
export type { CardOptions } from './transports/http/card/options.ts'
export type { ServeConsoleOptions } from './transports/http/console/index.ts'
export type {
  BodySink,
  HttpHeaders,
  RefusalHooks,
  RequestBody,
  StreamWatch,
} from './transports/http/exchange.ts'
export type { PipeBudgets } from './transports/stdio/budgets.ts'
