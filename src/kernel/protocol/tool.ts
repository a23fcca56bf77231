import type { Call } from '../call.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { Icon } from './content.ts'

/** Hints for the person who is asked to allow a call; nobody may rely on them. */
export interface ToolAnnotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** A tool as its author writes it; `input` and `output` are JSON Schemas or Standard Schemas. */
export interface ToolDefinition {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly input?: unknown
  readonly output?: unknown
  readonly annotations?: ToolAnnotations | undefined
  readonly icons?: readonly Icon[] | undefined
  /** Whether a call may, or must, go on as a task for clients that know tasks; the others wait. */
  readonly task?: 'optional' | 'required' | undefined
  readonly _meta?: JsonObject | undefined
  /** What an authenticated caller must have been granted to see and use it. */
  readonly scopes?: readonly string[] | undefined
  /** `never` lets a definition with any arguments stand here; the kernel has checked them against `input`. */
  run(args: never, call: Call): unknown
}
