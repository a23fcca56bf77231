import type { Answers, Needs, NeedsOptions, Questions } from '../asking/needs.ts'
import type { Budgets } from '../budgets/budgets.ts'
import type { Traced } from '../budgets/traced.ts'
import type { Usage } from '../budgets/usage.ts'
import type { Carrier, Principal } from '../callers/principal.ts'
import type { Peer } from '../calls/peer.ts'
import type { JsonObject, Result } from '../jsonrpc/message.ts'
import type { LogLevel } from '../log-level.ts'
import type { ToolResult } from './content.ts'
import type { EventFrom } from './event.ts'
import type { Implementation } from './implementation.ts'
import type { PromptDefinition } from './prompt.ts'
import type { ResourceDefinition, ResourceTemplateDefinition } from './resource.ts'
import type { ToolDefinition } from './tool.ts'

// What authors see of the kernel: the same objects, with what is theirs. The kernel's own faces have more, and would
// let a tool break the server it is called by.

/** One request on its way through the server: what an author's function is handed beside its arguments. */
export interface Call {
  /** Such as `tools/call`. */
  readonly method: string
  readonly params: JsonObject | undefined
  /** Aborted when the client cancels the call or leaves; made when first read, since few calls read it. */
  readonly signal: AbortSignal
  /** Whether it has been cancelled. */
  readonly aborted: boolean
  readonly server: Server
  /** The client: what it says of itself, what it can, and in which revision it speaks. */
  readonly peer: Peer
  /** Who is calling, as far as the transport could tell. */
  readonly principal: Principal | undefined
  /** To whom belongs what this call makes: `server.tools.add(tool, call.owner)`. */
  readonly owner: string
  /** What the client has answered to this call's questions so far, as it came. */
  readonly answers: JsonObject
  /** What `ask` or `needs` was told to keep. */
  readonly state: unknown
  /**
   * The client's answers, each of the type its question says; or, as long as there are some missing, what the function
   * must return for the client to be asked: `if (asked instanceof Needs) return asked`. It is then called again from
   * its start, so up to here it must be safe to run twice.
   */
  ask<const Asked extends Questions>(questions: Asked, options?: NeedsOptions): Answers<Asked> | Needs
  /**
   * Calls a tool of this server as the same caller, by the way that a client's call goes: middleware, scopes, checking.
   * What it says on the way, this call has said; it ends when this call is cancelled. A call that is refused rejects.
   */
  invoke(name: string, args?: JsonObject): Promise<ToolResult>
  /** Tells a client that asked for it how far the call has come; a step back is not sent. */
  progress(progress: number, total?: number, message?: string): void
  /** Sends a log notice to the client if it wants notices of this level. */
  log(level: LogLevel, data: unknown, logger?: string): void
  /** Sends a notice that belongs to this call. */
  notify(method: string, params: JsonObject): void
  /** Calls `run` if the client cancels the call, with what it says of why, or leaves; unlike `signal` it costs next to nothing. */
  whenCancelled(run: (reason?: string) => void): void
}

/** A server: what it is, and its lists, of which clients are told when they change. */
export interface Server {
  readonly info: Implementation
  /** How far what callers can make grow may grow, for modules that keep something for them. */
  readonly budgets: Budgets
  /** How much of each budget is used, for whoever watches. */
  readonly usage: Usage
  /** What has come of other nodes that share the store, for whoever watches. */
  readonly traced: Readonly<Traced>
  readonly tools: OfferList<ToolDefinition>
  readonly resources: OfferList<ResourceDefinition>
  readonly templates: OfferList<ResourceTemplateDefinition>
  readonly prompts: OfferList<PromptDefinition>
  /** Tells whoever subscribed to a resource that it has changed. */
  updated(uri: string): void
  /**
   * Ends whoever serves it, then closes its modules, the last one first, and what it has opened itself. Whoever serves
   * it calls this when they end.
   */
  close(): Promise<void>
}

/** Something a server offers, as it stands on a list. */
export interface Offered {
  /** The name of a tool or a prompt, the URI of a resource. */
  readonly key: string
  /** As the newest revision lists it. */
  readonly listed: JsonObject
  /** What a caller must have been granted to see and use it. */
  readonly scopes: readonly string[]
}

/** A live list of tools, resources, templates or prompts. What is added for an owner is there for that owner alone. */
export interface OfferList<Definition> extends Iterable<Offered> {
  readonly size: number
  has(key: string, owner?: string): boolean
  /** Offers one more, to everybody or to its owner; clients that are concerned are told. */
  add(definition: Definition, owner?: string): void
  /** Tells whether there was one to remove: of everybody's, or of the owner's. */
  remove(key: string, owner?: string): boolean
  /** What a caller may see and use. */
  visible(principal: Principal | undefined): Iterable<Offered>
}

/** Answers a call: what a middleware calls as `next`. */
export type Handler = Open<{ run(call: Call): Result | Promise<Result> }>

/** Wraps a call; it must not make an asynchronous call of a synchronous one. */
export type Middleware = Open<{ run(call: Call, next: Handler): Result | Promise<Result> }>

/** Told of what happens beside the calls. */
export type Observer = Open<{ run(event: ServerEvent): void }>

/** What happens beside the calls; `observe` is told each of these. */
export type ServerEvent = EventFrom<Connection>

/** One conversation with a client. */
export interface Connection {
  readonly carrier: Carrier | undefined
  readonly principal: Principal | undefined
  /** Known once a handshake has been made. */
  readonly peer: Peer | undefined
  /** Sends a log notice to the client if it wants notices of this level. */
  log(level: LogLevel, data: unknown, logger?: string): void
}

/** A function type that our own functions, which know the kernel's faces, fit as well: methods are compared that way. */
type Open<Type extends { run: unknown }> = Type['run']
