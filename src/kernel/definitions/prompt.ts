import type { JsonObject } from '../jsonrpc/message.ts'
import type { Call } from './authors.ts'
import type { ContentBlock, Icon } from './content.ts'

/** Suggests values that begin as the caller began; `chosen` holds the arguments filled in so far. */
export type Completer = (
  value: string,
  chosen: { readonly [argument: string]: string },
  call: Call,
) => readonly string[] | Promise<readonly string[]>

/** An argument of a prompt, which is a string. */
export interface PromptArgument {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly required?: boolean | undefined
}

/** A message that a prompt makes. */
export interface PromptMessage {
  readonly role: 'user' | 'assistant'
  readonly content: ContentBlock
}

/** A string is one message of the user's. */
export type PromptOutput =
  | string
  | readonly PromptMessage[]
  | {
      readonly description?: string
      readonly messages: readonly PromptMessage[]
      readonly _meta?: JsonObject
    }

/** What a prompt says of itself. */
export interface PromptDescription {
  readonly name: string
  /** Names that it can be asked for by as well, though they are not listed. */
  readonly otherNames?: readonly string[] | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** Suggestions for the arguments, by name. */
  readonly complete?: { readonly [argument: string]: Completer } | undefined
  readonly icons?: readonly Icon[] | undefined
  readonly _meta?: JsonObject | undefined
  /** What an authenticated caller must have been granted to see and use it. */
  readonly scopes?: readonly string[] | undefined
}

/** A prompt as its author writes it; `never` lets a prompt with any arguments stand in a list. */
export interface PromptDefinition<Args = never> extends PromptDescription {
  readonly arguments?: readonly PromptArgument[] | undefined
  render(args: Args, call: Call): unknown
}
