import type { WireError } from '../kernel/index.ts'

/**
 * What a server answered instead of a result.
 * @example
 * await client.callTool('add').catch((error) => {
 *   if (error instanceof ErrorReply) console.error(error.code, error.message)
 * })
 */
export class ErrorReply extends Error {
  readonly code: number
  readonly data: unknown
  /** The status of HTTP that came with it, where it was none of success. */
  readonly status: number | undefined
  /** The challenge that came with it, of a server that wants to know who calls: `WWW-Authenticate`. */
  readonly challenge: string | undefined

  constructor({ code, message, data }: WireError, status?: number, challenge?: string) {
    super(message)
    this.name = 'ErrorReply'
    this.code = code
    this.data = data
    this.status = status
    this.challenge = challenge
  }
}

/**
 * Why there is no answer: nobody could be reached, the way to the server broke, it took too long, it refused by a
 * status of HTTP, what came is not MCP, a limit of the client was passed, the two have no revision or no feature in
 * common, or the client has been closed.
 */
export type Reason =
  | 'unreachable'
  | 'lost'
  | 'timed-out'
  | 'refused'
  | 'nonsense'
  | 'too-much'
  | 'unsupported'
  | 'closed'

export interface ClientErrorDetails {
  readonly cause?: unknown
  /** The status of HTTP, where that is what refused. */
  readonly status?: number
  /** The challenge of a server that wants to know who calls: `WWW-Authenticate`. */
  readonly challenge?: string
  /** When the server says that it may be asked again. */
  readonly retryAfterMs?: number
  /** The server has not seen the request. */
  readonly unsent?: boolean
  /** The server has forgotten its session, and the one that was opened in its place as well. */
  readonly forgotten?: boolean
  /** The message without what the server itself has said of it, where that is for its operator alone, on its stderr, and without what only a program can set. */
  readonly brief?: string
}

/**
 * What went wrong on the way, or at this end of it; what the server itself says is an `ErrorReply`.
 * @example
 * await connect('http://127.0.0.1:8181/mcp').catch((error) => {
 *   if (error instanceof ClientError) console.error(error.reason)
 * })
 */
export class ClientError extends Error {
  readonly reason: Reason
  readonly details: ClientErrorDetails

  constructor(reason: Reason, message: string, details: ClientErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause })
    this.name = 'ClientError'
    this.reason = reason
    this.details = details
  }
}

export function closed(): ClientError {
  return new ClientError('closed', 'The client has been closed')
}
