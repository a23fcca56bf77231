import type { Codes } from '../faults.ts'

/** What is listed or sent with a set of fields that grew over the revisions. */
export type Kind =
  | 'tool'
  | 'resource'
  | 'template'
  | 'prompt'
  | 'argument'
  | 'annotations'
  | 'implementation'
  | 'content'
  | 'progress'

/** The members that a revision knows. */
export type Fields = { readonly [kind in Kind]: readonly string[] }

/** A protocol revision as facts: each member is one way in which revisions have differed so far. */
export interface Revision {
  readonly id: string
  /** How a client says who it is and what it speaks. */
  readonly opening: 'handshake' | 'every-request'
  /** Whether one line or body may hold several messages. */
  readonly batches: boolean
  /** The id of an error about a message whose id could not be read; undefined leaves it out. */
  readonly unreadableId: null | undefined
  /** The methods a client may call. */
  readonly requests: readonly string[]
  /** What a server may ask a client. */
  readonly questions: readonly string[]
  /** How it asks: by a request of its own, or by a result that makes the client call again. */
  readonly asking: 'request' | 'retry'
  /** The modes of elicitation it knows; a revision with one mode has no word for it. */
  readonly elicitation: readonly ('form' | 'url')[]
  /** Whether forms have lists to choose from, and titles for the choices. */
  readonly formLists: boolean
  /** Whether what is said to a model may consist of several blocks. */
  readonly sampledBlocks: boolean
  /** Whether a URL elicitation has an id of its own. */
  readonly elicitationId: boolean
  /** Whether the level of log notices is set once or by each request. */
  readonly logLevel: 'by-method' | 'by-request'
  /** Whether calls can become tasks, and in which of two ways. */
  readonly tasks: 'none' | 'core' | 'extension'
  /** Whether what a server can do is told by objects, or by yes and no. */
  readonly declaring: 'objects' | 'flags'
  /** The members of the server's capabilities it has a word for. */
  readonly capabilities: readonly string[]
  /** Whether a message without an id is a notification, or none at all. */
  readonly notices: 'taken' | 'refused'
  /** Whether a call of a tool without arguments may leave them out. */
  readonly arguments: 'optional' | 'required'
  /** Whether arguments that do not fit are a protocol error or the tool's. */
  readonly badArguments: 'fault' | 'tool-result'
  /** Whether a tool that fails has a result that says so, or an error. */
  readonly failedTools: 'tool-result' | 'fault'
  readonly codes: Codes
  /** Whether a stream begins with an event that gives the client an id to come back with. */
  readonly priming: boolean
  readonly contents: readonly string[]
  /** What structured content may be. */
  readonly structured: 'none' | 'object' | 'any'
  /** Whether results are bare, or say what kind they are, how long they keep and whose they are. */
  readonly results: 'bare' | 'stamped'
  /** Beside the required ones. */
  readonly fields: Fields
}
