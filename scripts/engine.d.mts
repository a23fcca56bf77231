/** A server that tests have for themselves. */
export interface Engine {
  readonly url: string
  start(): Promise<unknown>
  /** Ends it at once, as a crash would. */
  halt(): Promise<unknown>
  /** Has it say nothing, with its connections open. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** Ends it and removes what it kept. */
  stop(): Promise<void>
}
