/** Who is calling, as far as the transport could tell. */
export interface Principal {
  readonly id: string
  /** What it may use; undefined means everything. */
  readonly scopes?: readonly string[]
  /** Nobody in particular, come over a network. */
  readonly anonymous?: true
  /** When what it proved itself with ceases to be valid, in milliseconds since 1970. */
  readonly expires?: number
}

/** What carries a conversation, as far as its transport says; only observers ask for it. */
export interface Carrier {
  readonly transport: 'pipe' | 'tcp' | 'quic' | 'unix'
  /** The protocol in between: `http`. */
  readonly protocol?: string
  /** The id of the session, where the transport has sessions. */
  readonly session?: string
}
