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

export interface TextBlock extends BlockBase {
  readonly type: 'text'
  readonly text: string
}

export interface ImageBlock extends BlockBase {
  readonly type: 'image'
  readonly data: string
  readonly mimeType: string
}

export interface AudioBlock extends BlockBase {
  readonly type: 'audio'
  readonly data: string
  readonly mimeType: string
}

export interface ResourceBlock extends BlockBase {
  readonly type: 'resource'
  readonly resource: ResourceContents
}

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
