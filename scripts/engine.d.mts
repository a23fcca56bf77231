/** A server that tests have for themselves. */
export interface Engine {
  readonly url: string
  /** The file of the authority that has signed for it, where it speaks TLS. */
  readonly ca?: string | undefined
  start(): Promise<unknown>
  /** Ends it at once, as a crash would. */
  halt(): Promise<unknown>
  /** Has it say nothing, with its connections open. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** Ends it and removes what it kept. */
  stop(): Promise<void>
}
