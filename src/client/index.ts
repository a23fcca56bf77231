/** A client of any MCP server: `connect`, and what it gives. */
export type {
  Answers,
  Asked,
  ElicitParams,
  ElicitResult,
  RootsResult,
  SampleParams,
  SampleResult,
} from './answers.ts'
export type { Change, Wanted } from './changes.ts'
export type { Client, Completable } from './client.ts'
export { connect, type Target } from './connect.ts'
export { ClientError, ErrorReply, type Reason } from './errors.ts'
export type { Limits } from './limits.ts'
export type { Listening } from './listening.ts'
export type { OnBehalf } from './on-behalf.ts'
export type { ConnectOptions } from './options.ts'
export type { Notification, Progress, RequestOptions } from './requesting.ts'
export type {
  CallToolResult,
  Completion,
  Prompt,
  PromptResult,
  ReadResult,
  Resource,
  ResourceTemplate,
  Tool,
} from './results.ts'
export type { TaskState } from './task-state.ts'
export type { RunningTask } from './tasks.ts'
export type { SocketTarget } from './wires/socket.ts'
export type { Command } from './wires/stdio.ts'
export type { StopSignal } from './wires/stop.ts'
