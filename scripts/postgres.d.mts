export interface PostgresServer {
  readonly url: string
  start(): Promise<unknown>
  /** Ends it at once, as a crash would. */
  halt(): Promise<unknown>
  /** Ends it and removes what it kept. */
  stop(): Promise<void>
}

/** Throws an Error that says why there can be no server here. */
export function startPostgres(): Promise<PostgresServer>
