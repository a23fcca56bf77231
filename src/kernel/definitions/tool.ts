import type { JsonObject } from '../jsonrpc/message.ts'
import type { Call } from './authors.ts'
import type { Icon } from './content.ts'

/** Hints for the person who is asked to allow a call; nobody may rely on them. */
export interface ToolAnnotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** How much of a model's context a result may take; what is more becomes a link to the rest. */
export interface ResultBudget {
  readonly tokens: number
}

/** What a tool says of itself. */
export interface ToolDescription {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly annotations?: ToolAnnotations | undefined
  readonly icons?: readonly Icon[] | undefined
  /** Whether a call may, or must, go on as a task for clients that know tasks; the others wait. */
  readonly task?: 'optional' | 'required' | undefined
  readonly _meta?: JsonObject | undefined
  /** What an authenticated caller must have been granted to see and use it. */
  readonly scopes?: readonly string[] | undefined
  /** How many tokens its results may have, in place of what the server says. */
  readonly budget?: ResultBudget | undefined
  /** Has it stay on the list where a server's `offer` hides the others behind a search. */
  readonly offer?: 'always' | undefined
}

/**
 * A tool as its author writes it; `input` and `output` are JSON Schemas or Standard Schemas. `Args` is what they let
 * through; `never` lets a tool with any arguments stand in a list.
 */
export interface ToolDefinition<Args = never> extends ToolDescription {
  readonly input?: unknown
  readonly output?: unknown
  /**
   * Asks the client before anything is done, and before a task is made of the call: what `call.ask` gives is to be
   * returned. It may take its time, and is called again with the answers until it has nothing more to ask; then `run`
   * finds them by the same `call.ask`.
   */
  readonly ask?: ((args: Args, call: Call) => unknown) | undefined
  run(args: Args, call: Call): unknown
}
