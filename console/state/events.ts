/** What the console's event stream says: one JSON value an event. */
export type ConsoleEvent =
  | Hello
  | { readonly type: 'messages'; readonly items: readonly ConsoleMessage[] }
  | ServerState
  | Notice
  | { readonly type: 'dropped'; readonly count: number }

export interface Hello {
  readonly type: 'hello'
  readonly server: {
    readonly name: string
    readonly title?: string
    readonly version: string
    readonly description?: string
  }
  readonly endpoint: string
  readonly sse: string | null
  readonly revisions: readonly string[]
  /** Whether MCP itself wants a key. */
  readonly keyNeeded: boolean
  readonly time: number
  readonly panels: readonly string[]
  /** New with each process: numbers of messages begin anew with it. */
  readonly run?: string
}

export interface ServerState {
  readonly type: 'state'
  readonly sessions: readonly ConsoleSession[]
  readonly nodes: readonly { readonly id: string; readonly self: boolean; readonly since?: number }[]
  readonly usage: { readonly [name: string]: { readonly used: number; readonly limit: number } }
}

export interface Notice {
  readonly type: 'notice'
  readonly level: 'info' | 'warning' | 'error'
  readonly text: string
  readonly time: number
}

export interface ConsoleMessage {
  readonly seq: number
  readonly time: number
  readonly connection: string
  readonly transport: string
  readonly direction: 'in' | 'out'
  readonly revision: string | null
  readonly bytes: number
  /** Of a response: since its request. */
  readonly ms?: number
  readonly message: unknown
}

export interface ConsoleSession {
  readonly id: string
  readonly revision: string
  readonly client?: { readonly name: string; readonly version: string }
  readonly principal?: string
  readonly openedAt?: number
  readonly seenAt: number
  readonly busy: boolean
}
