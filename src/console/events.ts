import type { RelayedState } from '../kernel/index.ts'

/** What a server's console is told, by one stream of events; the page takes these types from here. */
export type ConsoleEvent =
  | ConsoleHello
  | { readonly type: 'messages'; readonly items: readonly ConsoleMessage[] }
  | ConsoleState
  | ConsoleNotice
  /** So many messages are not told: the reader was too slow for them, or they are not kept any more. */
  | { readonly type: 'dropped'; readonly count: number }

/** Comes first: whose console it is, and where its MCP is served. */
export interface ConsoleHello {
  readonly type: 'hello'
  readonly server: {
    readonly name: string
    readonly title?: string
    readonly version: string
    readonly description?: string
  }
  /** Where to post, seen from the address of the page: `./mcp`. */
  readonly endpoint: string
  /** Where the pair of endpoints of 2024 begins, if there is one. */
  readonly sse: string | null
  readonly revisions: readonly string[]
  /** Whether MCP wants a key of its own here, or a token. */
  readonly keyNeeded: boolean
  /** Whether the console's own key is what MCP wants, as `Authorization: Bearer`. */
  readonly opensMcp: boolean
  readonly time: number
  /** Another word with each start: numbers of messages begin again with it. */
  readonly run: string
  /** What else the page can show: names that others have agreed on with it. */
  readonly panels: readonly string[]
}

/** One message of one conversation, without its secrets. */
export interface ConsoleMessage {
  /** Goes up by one with each. */
  readonly seq: number
  readonly time: number
  /** The conversation: for one with a session, the same as the `id` of its `ConsoleSession`. */
  readonly connection: string
  /** `stdio`, `http`, `memory`, or what another transport calls itself. */
  readonly transport: string
  readonly direction: 'in' | 'out'
  readonly revision: string | null
  readonly bytes: number
  /** Of a response: how long after its request. */
  readonly ms?: number
  readonly message: unknown
  /** It was too long to be kept whole; `message` says how it began. */
  readonly cut?: true
}

/** How the server is: told when it has changed. */
export interface ConsoleState {
  readonly type: 'state'
  readonly sessions: readonly ConsoleSession[]
  readonly nodes: readonly ConsoleNode[]
  /** The servers that it stands for, where it does. */
  readonly upstreams?: readonly RelayedState[]
  readonly usage: { readonly [budget: string]: { readonly used: number; readonly limit: number } }
  readonly context?: ConsoleContext
  /** The tools whose calls may become tasks, which the newest revision lists nowhere. */
  readonly taskTools?: readonly string[]
}

/** What a server costs a model's context. */
export interface ConsoleContext {
  readonly offer: 'all' | 'search' | 'code' | 'auto'
  /** Whether results are given to hosts as they show them. */
  readonly fit: 'host' | 'off'
  /** How many tools there are, listed or not, and what a list of all of them would cost. */
  readonly tools: number
  readonly tokens: number
  /** What a result is cut to, where tools do not say otherwise. */
  readonly budget?: number
}

/** One of those who serve together. */
export interface ConsoleNode {
  readonly id: string
  readonly self: boolean
  readonly since?: number
  /** Calls at work on it, and sessions in use there. */
  readonly calls?: number
  readonly sessions?: number
  /** Why it cannot keep anything right now, where that is so. */
  readonly trouble?: string
}

/** A client that is known beyond one request. */
export interface ConsoleSession {
  /** The beginning of it: the whole is a secret. */
  readonly id: string
  readonly revision: string
  readonly client?: { readonly name: string; readonly version: string }
  readonly principal?: string
  readonly openedAt?: number
  readonly seenAt: number
  readonly busy: boolean
}

/** Something that happened beside the messages. */
export interface ConsoleNotice {
  readonly type: 'notice'
  readonly level: 'info' | 'warning' | 'error'
  readonly text: string
  readonly time: number
}
