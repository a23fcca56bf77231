import type { JsonObject } from '../jsonrpc/message.ts'
import type { Call } from './authors.ts'
import type { Annotations, Icon, ResourceContents } from './content.ts'
import type { CacheHint } from './implementation.ts'
import type { Completer } from './prompt.ts'

/** What a resource or a template says of itself. */
export interface ResourceDescription {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly mimeType?: string | undefined
  readonly annotations?: Annotations | undefined
  readonly icons?: readonly Icon[] | undefined
  readonly _meta?: JsonObject | undefined
  /** What an authenticated caller must have been granted to see and use it. */
  readonly scopes?: readonly string[] | undefined
  /** Whether clients may ask to be told when it changes. */
  readonly subscribable?: boolean | undefined
  /** How long a read keeps; not at all unless said. */
  readonly cache?: CacheHint | undefined
}

/** A string is text, bytes are sent as base64, contents are sent as they are. */
export type ResourceOutput =
  | string
  | Uint8Array
  | ResourceContents
  | readonly ResourceContents[]
  | { readonly contents: readonly ResourceContents[] }

/** A resource as its author writes it. */
export interface ResourceDefinition extends ResourceDescription {
  readonly uri: string
  readonly size?: number | undefined
  /** When it last changed, for those who list it. */
  readonly modified?: (() => Date) | undefined
  read(call: Call): unknown
}

/** What a resource template says of itself. */
export interface TemplateDescription extends ResourceDescription {
  /** Suggestions for the template's variables. */
  readonly complete?: { readonly [variable: string]: Completer } | undefined
}

/** A resource template as its author writes it; `never` lets a template with any variables stand in a list. */
export interface ResourceTemplateDefinition<Variables = never> extends TemplateDescription {
  /** RFC 6570. */
  readonly uriTemplate: string
  /** Gives undefined when the template matches but there is nothing behind the URI. */
  read(variables: Variables, call: Call): unknown
}
