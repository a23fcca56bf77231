import type { Principal, WireError } from '../../kernel/index.ts'

/** Headers by their names. */
export type HttpHeaders = { readonly [name: string]: string }

/** A request turned away: an HTTP status, and the same as a JSON-RPC error. */
export interface Refusal {
  readonly status: number
  readonly error: WireError
  readonly headers?: HttpHeaders
  /** What the log says instead of the error's own words, where those may quote what was sent. */
  readonly told?: string
}

/** What is done about refusals, whoever refuses. */
export interface RefusalHooks {
  /** Hears of everybody who is refused. */
  turnedAway(exchange: Exchange, refusal: Refusal): void
  /** What stands for the id of a message that could not be read, in words of the revision that its sender names. */
  unreadableId(exchange: Exchange): null | undefined
}

/** A body that goes on being written. */
export interface BodySink {
  write(text: string): void
  /** How many bytes the client has not taken yet. */
  readonly unread: number
  /** Calls `run` when the client has taken enough to be sent more. */
  drained(run: () => void): void
  /** Ends it, after a last text. */
  end(text?: string): void
  /** Breaks the connection. */
  destroy(): void
}

/** Looks after a stream while it is open. */
export interface StreamWatch {
  /** Much of it is unread; `before` is how much that was before the last text was written. */
  crowded(before: number): void
  /** It was ended. */
  ended(): void
  /** The client has left, or was cut off. */
  gone(): void
}

/** The body of a request. */
export interface RequestBody {
  /** Reads it as text, or says why it cannot be had. */
  read(limit: number, done: (body: string | Refusal) => void): void
}

/** What an HTTP request says before its body is read. */
export interface HttpRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  /** What a client that has reached this address may call it in its Host header; nothing where it is not known. */
  readonly ownHosts: readonly string[]
  /** Whether it has come to us over TLS. */
  readonly secure: boolean
  /** The address it comes from, where that is known. */
  readonly remote: string | undefined
  /** By their names in lower case; values that came one by one are joined by commas. */
  readonly headers: HttpHeaders
}

/** One HTTP request and the way to answer it; all that the transport knows of the machinery below. */
export interface Exchange extends HttpRequest {
  /** Set when it is taken in. */
  hooks: RefusalHooks | undefined
  readonly body: RequestBody
  answer(status: number, headers: HttpHeaders, body?: string): void
  stream(headers: HttpHeaders, watch: StreamWatch): BodySink
  /** Calls `run` when the client leaves before it has been answered in full. */
  onGone(run: () => void): void
}

/**
 * Wraps every exchange, outside of everything that looks at it, its Host included: hands it on to `next`, or answers
 * it. `withHeaders(exchange, { … })` is one whose answer has more headers.
 */
export type HttpMiddleware = (exchange: Exchange, next: (exchange: Exchange) => void) => void | Promise<void>

/** Answers for a path beside the protocol; it is told who asks. */
export type PageAnswer = (exchange: Exchange, principal: Principal) => void | Promise<void>

/** A page, for those who may call the server unless it says that it is for anybody. */
export type Page = PageAnswer | { readonly access: 'anybody' | 'callers'; readonly answer: PageAnswer }

/** Finds out who is calling, or why they may not; nothing is somebody who is not known. */
export type Authenticate = (
  request: HttpRequest,
) => Principal | Refusal | undefined | Promise<Principal | Refusal | undefined>

/** Finds out who is calling, and tells those who may not how they could. */
export interface Authenticator {
  readonly authenticate: Authenticate
  /** The headers that tell a caller which scopes it lacks. */
  readonly challenge?: (scopes: readonly string[]) => HttpHeaders
  /** The header that carries what a caller proves itself with; `Authorization` unless said. */
  readonly header?: string
  /** Documents that must be readable without being known, by path. */
  readonly documents?: { readonly [path: string]: string }
}

export function isRefusal(value: object): value is Refusal {
  return 'status' in value
}
