import { type Answers, type Needs, type NeedsOptions, needs, type Questions } from '../asking/needs.ts'
import { ownerOf } from '../callers/audience.ts'
import type { Principal } from '../callers/principal.ts'
import type { ToolResult } from '../definitions/content.ts'
import type { Id, Json, JsonObject, Request, Result } from '../jsonrpc/message.ts'
import { isAtLeast, type LogLevel } from '../log-level.ts'
import type { Link } from './link.ts'
import type { Outlet } from './outlet.ts'
import { type Peer, STRANGER } from './peer.ts'
import type { Server } from './server.ts'

/** Answers a call: what a middleware calls as `next`. */
export type Handler = (call: Call) => Result | Promise<Result>

/** Told when a tool begins to work, and when it has ended; what comes before and after is the server's own time. */
export interface ToolWatch {
  toolBegan(): void
  toolEnded(): void
}

const NO_ANSWERS: JsonObject = Object.freeze({})

/**
 * One request on its way through the server; what an author's function is handed beside its arguments.
 * @example const toolOf = ({ method, params }: Call) => (method === 'tools/call' ? params?.['name'] : undefined)
 */
export class Call {
  readonly server: Server
  readonly link: Link
  /** Known as soon as it has been let in. */
  peer: Peer = STRANGER
  /** As it came, or as a middleware has handed it on. */
  request: Request
  readonly principal: Principal | undefined
  /** What the client has answered to this call's questions so far. */
  answers: JsonObject = NO_ANSWERS
  /** What `needs` was told to keep. */
  state: unknown
  aborted = false
  /** Called when the call is aborted, whether or not anybody reads `signal`. */
  onAbort: (() => void) | undefined
  toolWatch: ToolWatch | undefined
  /** What an author's function has promised. */
  running: Promise<unknown> | undefined
  /** The server behind this one that was asked to answer it, or whose tool is held back. */
  upstream: string | undefined
  /** From here on the call may say nothing more. */
  finished = false
  readonly outlet: Outlet
  #controller: AbortController | undefined
  #whenCancelled: ((reason?: string) => void) | undefined
  /** How often progress was told, and what was told last. */
  progressed = 0
  #lastProgress = Number.NEGATIVE_INFINITY
  #lastTold: number | undefined
  #total: number | undefined

  constructor(request: Request, link: Link, outlet: Outlet) {
    this.request = request
    this.link = link
    this.principal = link.principal
    this.outlet = outlet
    this.server = link.server
  }

  get id(): Id {
    return this.request.id
  }

  get method(): string {
    return this.request.method
  }

  get params(): JsonObject | undefined {
    return this.request.params
  }

  get meta(): JsonObject | undefined {
    return this.request.params?.['_meta'] as JsonObject | undefined // findPeer has checked it.
  }

  /** To whom belongs what this call makes: `server.tools.add(tool, call.owner)`. */
  get owner(): string {
    return ownerOf(this.principal)
  }

  /** Aborted when the client cancels the call or leaves; made when first read, since few calls read it. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.aborted) this.#controller.abort()
    }
    return this.#controller.signal
  }

  abort(reason?: string): void {
    if (this.aborted || this.finished) return
    this.stop()
    this.#whenCancelled?.(reason)
    this.onAbort?.()
  }

  /** Calls `run` if the client cancels the call, with what it says of why, or leaves; unlike `signal` it costs next to nothing. */
  whenCancelled(run: (reason?: string) => void): void {
    const before = this.#whenCancelled
    this.#whenCancelled = (reason) => {
      before?.(reason)
      run(reason)
    }
  }

  /** Tells whoever works on the call to stop; unlike one that the client cancelled, it is still answered. */
  stop(): void {
    if (this.aborted || this.finished) return
    this.aborted = true
    this.#controller?.abort()
  }

  /** Lets the client's connection go while the call goes on; a client that can will come back for the answer. */
  detach(): void {
    this.outlet.detach?.()
  }

  /**
   * The client's answers, each of the type its question says; or, as long as there are some missing, what the function
   * must return for the client to be asked: `if (asked instanceof Needs) return asked`. It is then called again from
   * its start, so up to here it must be safe to run twice.
   */
  ask<const Asked extends Questions>(questions: Asked, options: NeedsOptions = {}): Answers<Asked> | Needs {
    const missing = Object.entries(questions).filter(([key]) => !Object.hasOwn(this.answers, key))
    if (missing.length === 0) return this.answers as Answers<Asked> // They were checked by these questions when they came.
    const state = this.state as Json | undefined // What `needs` was told to keep.
    return needs(Object.fromEntries(missing), { ...(state !== undefined && { state }), ...options })
  }

  /**
   * Calls a tool of this server as the same caller, by the way that a client's call goes: middleware, scopes, checking.
   * What it says on the way, this call has said; it ends when this call is cancelled. A call that is refused rejects.
   */
  invoke(name: string, args: JsonObject = {}): Promise<ToolResult> {
    return this.server.invoke(this, { name, args }) as Promise<unknown> as Promise<ToolResult> // As tools/call gives it.
  }

  /** Tells a client that asked for it how far the call has come; a step back is not sent. */
  progress(progress: number, total?: number, message?: string): void {
    if (!Number.isFinite(progress) || progress <= this.#lastProgress) return
    this.#lastProgress = progress
    this.#total = total
    // What was told in the meantime, to break a silence, is a little more than what was said before.
    const told = this.#lastTold ?? Number.NEGATIVE_INFINITY
    this.#tell(progress > told ? progress : above(told), total, message)
  }

  /** Breaks a silence: tells a little more than was told last, and less than the tool is going to tell. */
  progressAgain(): void {
    this.#tell(above(this.#lastTold ?? 0), this.#total)
  }

  #tell(progress: number, total?: number, message?: string): void {
    const progressToken = this.meta?.['progressToken']
    if (progressToken === undefined) return
    this.#lastTold = progress
    this.progressed++
    const known = this.peer.revision.fields.progress
    this.notify('notifications/progress', {
      progressToken,
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && known.includes('message') && { message }),
    })
  }

  /** Sends a log notice to the client if it wants notices of this level. */
  log(level: LogLevel, data: unknown, logger: string = this.server.info.name): void {
    if (this.hears(level)) this.notify('notifications/message', { level, logger, data })
  }

  /** Whether the client wants log notices of this level. */
  hears(level: LogLevel): boolean {
    const threshold = this.logLevel
    return threshold !== undefined && isAtLeast(level, threshold)
  }

  /** From which level on the client wants log notices. */
  get logLevel(): LogLevel | undefined {
    return LOG_THRESHOLD[this.peer.revision.logLevel](this)
  }

  /** Sends a notice that belongs to this call. */
  notify(method: string, params: JsonObject): void {
    if (this.aborted || this.finished) return
    if (this.outlet === this.link.outlet) this.link.notify(method, params)
    else this.outlet.send({ jsonrpc: '2.0', method, params })
  }
}

/** A fraction above a number, as small as it can well be written. */
function above(number: number): number {
  return number + Math.max(1e-9, Math.abs(number) * 1e-12)
}

const LOG_THRESHOLD: Record<Peer['revision']['logLevel'], (call: Call) => LogLevel | undefined> = {
  // Before the handshake there is nobody who could have agreed to hear notices.
  'by-method': (call) => (call.link.peer === undefined ? undefined : call.link.logLevel),
  'by-request': (call) => call.peer.logLevel,
}
