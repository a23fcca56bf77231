import type { Json, JsonObject } from '../jsonrpc/message.ts'

/** For whom something is meant, and how much it matters. */
export interface Annotations {
  readonly audience?: readonly ('user' | 'assistant')[]
  readonly priority?: number
  readonly lastModified?: string
}

/** A picture of a server, a tool or its like, for people. */
export interface Icon {
  readonly src: string
  readonly mimeType?: string
  readonly sizes?: readonly string[]
  readonly theme?: 'light' | 'dark'
}

interface BlockBase {
  readonly annotations?: Annotations
  readonly _meta?: JsonObject
}

/** Text. */
export interface TextBlock extends BlockBase {
  readonly type: 'text'
  readonly text: string
}

/** A picture, as base64. */
export interface ImageBlock extends BlockBase {
  readonly type: 'image'
  readonly data: string
  readonly mimeType: string
}

/** A sound, as base64. */
export interface AudioBlock extends BlockBase {
  readonly type: 'audio'
  readonly data: string
  readonly mimeType: string
}

/** A resource inside a result. */
export interface ResourceBlock extends BlockBase {
  readonly type: 'resource'
  readonly resource: ResourceContents
}

/** A link to a resource. */
export interface ResourceLinkBlock extends BlockBase {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly size?: number
  readonly icons?: readonly Icon[]
}

/** What results and messages are made of: text, pictures, sounds, resources and links to them. */
export type ContentBlock = TextBlock | ImageBlock | AudioBlock | ResourceBlock | ResourceLinkBlock

/** What a resource holds: text, or bytes as base64. */
export type ResourceContents = {
  readonly uri: string
  readonly mimeType?: string
  readonly _meta?: JsonObject
} & ({ readonly text: string } | { readonly blob: string })

/** A whole tool result, for when a string or an object does not say enough. */
export interface ToolResult {
  readonly content?: readonly ContentBlock[]
  readonly structuredContent?: Json
  readonly isError?: boolean
  readonly _meta?: JsonObject
}
