import type { Traffic } from '../../traffic.ts'
import type { HttpHeaders, StreamWatch } from '../exchange.ts'

export interface NodeConnectionOptions {
  readonly traffic: Traffic
  readonly maxBodyBytes: number
  readonly maxPipelined: number
  /** How long a client may take to take any part of its answer. */
  readonly patienceMs: number
  /** What clients may call us in a Host header, where it is not the address of the connection. */
  readonly hosts?: readonly string[] | undefined
  /** Is told of an answer that cannot be written. */
  readonly failed: (error: unknown) => void
}

/** What the requests of a client have taken of late, in milliseconds; apart from it, so that one who has left is kept by nobody. */
export interface UsedTime {
  cost: number
}

/** What is said before an answer. */
export interface SentHead {
  readonly status: number
  readonly headers: HttpHeaders
  /** Looks after it, if it goes on. */
  readonly watch?: StreamWatch
}
