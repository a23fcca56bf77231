import { answersTo } from '../asking/answers.ts'
import { checkQuestions } from '../asking/check-questions.ts'
import { type Answers, Needs, type NeedsOptions, type Questions } from '../asking/needs.ts'
import { ownerOf } from '../callers/audience.ts'
import type { Principal } from '../callers/principal.ts'
import { callable, object, text } from '../check/members.ts'
import { checkNotice } from '../check/notice.ts'
import type { ToolResult } from '../definitions/content.ts'
import type { Id, Json, JsonObject, Request, Result } from '../jsonrpc/message.ts'
import { isAtLeast, type LogLevel } from '../log-level.ts'
import { describe } from '../words/describe.ts'
import type { Link } from './link.ts'
import { LOG_THRESHOLD } from './log-threshold.ts'
import type { Outlet } from './outlet.ts'
import { type Peer, STRANGER } from './peer.ts'
import { CallProgress } from './progress.ts'
import type { Server } from './server.ts'
import type { ToolWatch } from './tool-watch.ts'
import { explainUnprintable } from './unprintable.ts'

/** Answers a call: what a middleware calls as `next`. */
export type Handler = (call: Call) => Result | Promise<Result>

const NO_ANSWERS: JsonObject = Object.freeze({})

/**
 * One request on its way through the server; what an author's function is handed beside its arguments.
 * @example const toolOf = ({ method, params }: Call) => (method === 'tools/call' ? params?.['name'] : undefined)
 */
export class Call {
  /** Known as soon as it has been let in. */
  peer: Peer = STRANGER
  readonly principal: Principal | undefined
  /** What the client has answered to this call's questions so far. */
  answers: JsonObject = NO_ANSWERS
  /** What `needs` was told to keep. */
  state: unknown
  toolWatch: ToolWatch | undefined
  /** The server behind this one that was asked to answer it, or whose tool is held back. */
  upstream: string | undefined
  readonly outlet: Outlet
  // What follows is needed to the end, whatever an author's function does to the object that it is handed.
  #request: Request
  readonly #link: Link
  #aborted = false
  #onAbort: (() => void) | undefined
  #running: Promise<unknown> | undefined
  #finished = false
  #controller: AbortController | undefined
  #whenCancelled: ((reason?: string) => void) | undefined
  #progress: CallProgress | undefined

  constructor(request: Request, link: Link, outlet: Outlet) {
    this.#request = request
    this.#link = link
    this.principal = link.principal
    this.outlet = outlet
  }

  /** As it came, or as a middleware has handed it on. */
  get request(): Request {
    return this.#request
  }

  set request(request: Request) {
    if (request?.id !== this.id)
      throw new TypeError(
        `call.request: expected a request with the id that came, got ${describe(request?.id ?? request)}`,
      )
    this.#request = request
  }

  get id(): Id {
    return this.#request.id
  }

  get link(): Link {
    return this.#link
  }

  get server(): Server {
    return this.#link.server
  }

  get aborted(): boolean {
    return this.#aborted
  }

  /** Called when the call is aborted, whether or not anybody reads `signal`. */
  set onAbort(run: () => void) {
    this.#onAbort = run
  }

  /** What an author's function has promised. */
  get running(): Promise<unknown> | undefined {
    return this.#running
  }

  set running(promised: Promise<unknown> | undefined) {
    this.#running = promised
  }

  get finished(): boolean {
    return this.#finished
  }

  /** From here on the call may say nothing more. */
  finish(): void {
    this.#finished = true
  }

  get method(): string {
    return this.#request.method
  }

  get params(): JsonObject | undefined {
    return this.#request.params
  }

  get meta(): JsonObject | undefined {
    return this.#request.params?.['_meta'] as JsonObject | undefined // findPeer has checked it.
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
    this.#onAbort?.()
  }

  /** Calls `run` if the client cancels the call, with what it says of why, or leaves; unlike `signal` it costs next to nothing. */
  whenCancelled(run: (reason?: string) => void): void {
    callable(run, 'call.whenCancelled')
    const before = this.#whenCancelled
    this.#whenCancelled = (reason) => {
      before?.(reason)
      run(reason)
    }
  }

  /** Tells whoever works on the call to stop; unlike one that the client cancelled, it is still answered. */
  stop(): void {
    if (this.aborted || this.finished) return
    this.#aborted = true
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
    checkQuestions('call.ask', { questions, options })
    const missing = Object.entries(questions).filter(([key]) => !Object.hasOwn(this.answers, key))
    if (missing.length === 0)
      return answersTo(questions, this.answers, this.server.platform.validator) as Answers<Asked> // They were checked by these questions.
    const state = this.state as Json | undefined // What `needs` was told to keep.
    return new Needs(Object.fromEntries(missing), { ...(state !== undefined && { state }), ...options })
  }

  /**
   * Calls a tool of this server as the same caller, by the way that a client's call goes: middleware, scopes, checking.
   * What it says on the way, this call has said; it ends when this call is cancelled. A call that is refused rejects.
   */
  async invoke(name: string, args: JsonObject = {}): Promise<ToolResult> {
    text(name, 'call.invoke: name')
    object(args, 'call.invoke: args')
    return this.server.invoke(this, { name, args }) as Promise<unknown> as Promise<ToolResult> // As tools/call gives it.
  }

  /** Tells a client that asked for it how far the call has come; a step back is not sent. */
  progress(progress: number, total?: number, message?: string): void {
    if (!this.aborted && !this.finished) this.progressing.say(progress, total, message)
  }

  /** What was told of that. */
  get progressing(): CallProgress {
    this.#progress ??= new CallProgress(this)
    return this.#progress
  }

  /** Sends a log notice to the client if it wants notices of this level. */
  log(level: LogLevel, ...said: readonly [data: unknown, logger?: string]): void {
    if (this.aborted || this.finished) return
    const { data, logger = this.server.info.name } = checkNotice('call.log', level, said)
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

  /** Tells whoever runs the server of a mistake on our side. */
  crashed(error: unknown): void {
    this.server.observe({ kind: 'crashed', error, method: this.method, request: this.request })
  }

  unprintable(error: unknown): void {
    this.crashed(explainUnprintable(error))
  }

  /** Sends a notice that belongs to this call. */
  notify(method: string, params: JsonObject): void {
    if (this.aborted || this.finished) return
    text(method, 'call.notify: method')
    if (params !== undefined) object(params, 'call.notify: params')
    if (this.outlet === this.link.outlet) this.link.notify(method, params)
    else this.outlet.send({ jsonrpc: '2.0', method, params })
  }
}
