import { type Client, ClientError, ErrorReply, type Notification } from '../../client/index.ts'
import { type Call, Fault, type JsonObject, type Revision, type Server, Told } from '../../kernel/index.ts'
import { callThrough } from './call-through.ts'
import type { Caller } from './caller.ts'
import type { UpstreamConnections, Used } from './connections.ts'
import { explain, isBroken, isClosed, isForgetful, isMistaken, toldBy } from './errors.ts'
import { forwardedOf, type PlainHeaders } from './forwarded.ts'
import type { Health } from './health.ts'
import { HeldCalls } from './held-calls.ts'
import { type Ask, OpenCall } from './open-call.ts'
import type { UpstreamOptions } from './options.ts'
import { paramsOf, type RoundState } from './params.ts'
import { beginTask, followTask, type TaskPlace } from './relayed-tasks.ts'
import type { UpstreamRefusal } from './sign-in/advice.ts'
import type { Tally } from './tally.ts'

export interface UpstreamRelayOptions {
  readonly name: string
  readonly options: UpstreamOptions
  readonly server: Server
  readonly connections: UpstreamConnections
  readonly caller: Caller
  readonly health: Health
  readonly tally: Tally
  /** The way to it has broken under a call, and others may find it broken too; resolves when that is known. */
  readonly doubt: () => Promise<unknown>
  /** Resolves when it is known whether a tool may be called by this connection; undefined where it may. */
  readonly vetted: (client: Client, call: Call) => Promise<void> | undefined
}

/** How often a task is looked for again when the way to it breaks, each time after a longer pause. */
const FOLLOW_TRIES = 5
const PAUSE_MS = 1000

/** Has an upstream answer calls, and follows the tasks that they become there. */
export class UpstreamRelay {
  readonly #options: UpstreamRelayOptions
  readonly #held: HeldCalls
  /** Who hears of the progress of tasks, by the token it is told with. */
  readonly #progress = new Map<string, Call>()

  constructor(options: UpstreamRelayOptions) {
    this.#options = options
    this.#held = new HeldCalls(options.server)
  }

  /** Has it answer; `own` are the parameters by which it knows what is called, which may be a tool that runs as a task only. */
  answer(call: Call, own: JsonObject, isTaskOnly = false): Promise<unknown> {
    return this.#go(call, (client, options) => {
      const task = isTaskOnly && client.revision.tasks === 'core' && { task: {} }
      const params = { ...paramsOf(call, own, call.state as RoundState | undefined), ...task }
      return call.method === 'tools/call' && !areBothNew(call, client)
        ? callThrough(client, params, options)
        : client.exchange(call.method, params, options)
    })
  }

  /** The same where the call may become a task there. */
  begin(call: Call, own: JsonObject): Promise<unknown> {
    const { platform } = this.#options.server
    const progress = call.meta?.['progressToken'] === undefined ? undefined : platform.randomId()
    return this.#go(call, (client, options) =>
      beginTask(client, paramsOf(call, own, call.state as RoundState | undefined), {
        ...options,
        task: call.peer.revision.tasks === 'core' ? call.params?.['task'] : undefined,
        progress,
      }),
    )
  }

  /** Waits for what comes of such a task, or for its questions; a way that breaks is found again. */
  async follow(call: Call, tell: (message: string) => void): Promise<unknown> {
    const place = call.state as TaskPlace | undefined
    if (place?.task === undefined) throw new Error('The task was interrupted: its server ended before it did')
    const { task, progress } = place
    if (progress !== undefined) this.#progress.set(progress, call)
    const ask: Ask = (client, options) =>
      followTask(client, place, { ...options, tell, answered: call.answers })
    try {
      for (let tries = 1; ; tries++) {
        const output = await this.#open(call, ask, { task }).catch((error: unknown) => {
          if (!isBroken(error) || call.aborted || tries === FOLLOW_TRIES) throw this.explain(error, call)
          return BROKEN
        })
        if (output !== BROKEN) return output
        await new Promise<void>((resolve) => this.#options.server.platform.after(tries * PAUSE_MS, resolve))
      }
    } finally {
      if (progress !== undefined) this.#progress.delete(progress)
    }
  }

  /** What the upstream tells of the progress of a task, which it may do after the call has been answered. */
  hear({ method, params }: Notification): void {
    const { progressToken, progress, total, message } = params
    const call = this.#progress.get(String(progressToken))
    if (method !== 'notifications/progress' || typeof progress !== 'number') return
    call?.progress(
      progress,
      typeof total === 'number' ? total : undefined,
      typeof message === 'string' ? message : undefined,
    )
  }

  /** What went wrong on the way is told with who it was; a tool has failed, anything else is an error. */
  explain(thrown: unknown, call: Call): unknown {
    const { name, caller, tally } = this.#options
    const forwarded = this.#forwarded(call)
    const error = caller.discretion.of(thrown, forwarded)
    if (error instanceof ErrorReply) return this.explain(toldBy(error, caller.spoken, call), call)
    if (error instanceof Told && !call.aborted && !isMistaken(error)) tally.fail(explain(name, error.message))
    if (!(error instanceof ClientError)) return error
    const advice = caller.discretion.hide(this.#advise(error.details, call), forwarded)
    if (!call.aborted) tally.fail(explain(name, `${error.message}${advice}`))
    const text = explain(name, `${error.details.brief ?? error.message}${advice}`)
    return call.method === 'tools/call' ? new Error(text) : new Fault('internalError', text)
  }

  /** Who calls in a name of their own is not helped by what the gateway could do in its. */
  #advise(refusal: UpstreamRefusal, call: Call): string {
    return this.#forwarded(call)?.['authorization'] === undefined ? this.#options.caller.advise(refusal) : ''
  }

  #forwarded({ outlet }: Pick<Call, 'outlet'>): PlainHeaders | undefined {
    return forwardedOf(outlet, this.#options.options)
  }

  /** What an upstream answers is passed on, unless it is to somebody whom signing in would help. */
  readonly #told = (thrown: unknown, spoken: Revision, call: Call): unknown => {
    const error = this.#options.caller.discretion.of(thrown, this.#forwarded(call))
    if (!(error instanceof ErrorReply)) return error
    const { message, status = 0, challenge = '' } = error
    if (this.#advise({ status, challenge }, call) === '') return toldBy(error, spoken, call)
    return new ClientError('refused', message, { status, challenge })
  }

  close(): Promise<void> {
    return this.#held.close()
  }

  async #go(call: Call, ask: Ask): Promise<unknown> {
    const { name, tally } = this.#options
    const { held } = (call.state ?? {}) as RoundState
    const began = tally.begin()
    call.upstream = name
    try {
      return await (held === undefined ? this.#open(call, ask) : this.#held.resume(held, call))
    } catch (error) {
      throw this.explain(await this.#judge(error, call), call)
    } finally {
      tally.end(began)
    }
  }

  /** Where nobody is there, or nobody is let in, everybody else need not try for a while. */
  async #judge(error: unknown, call: Call): Promise<unknown> {
    if (!(error instanceof ClientError)) return error
    if (isForgetful(error)) {
      await this.#options.doubt() // One caller's sessions say nothing of those of others.
      const { trouble } = this.#options.health
      return trouble === undefined ? error : new ClientError(error.reason, trouble)
    }
    if (error.reason === 'lost' && !this.#options.connections.isKept) void this.#options.doubt()
    const isForAll = error.reason === 'unreachable' || error.details.status === 401
    return isForAll ? this.#sicken(error, this.#forwarded(call)) : error
  }

  async #open(call: Call, ask: Ask, task?: JsonObject): Promise<unknown> {
    const { held } = (call.state ?? {}) as RoundState
    if (this.#held.has(held)) return this.#held.resume(held, call)
    const forwarded = this.#forwarded(call)
    const used = this.#use(call, forwarded)
    const { vetted } = this.#options
    const open = new OpenCall(call, { forwarded, task, vetted, told: this.#told })
    const ready = used instanceof Promise ? await used : used
    const vetting = vetted(ready.client, call)
    if (vetting !== undefined) await orRelease(vetting, ready)
    const output = await open.begin(ready, ask)
    return this.#held.settle(this.#options.caller.discretion.ofResult(output, forwarded), open)
  }

  #use(call: Call, forwarded: PlainHeaders | undefined): Used | Promise<Used> {
    const { health, connections } = this.#options
    if (health.trouble !== undefined) throw new ClientError('unreachable', health.trouble)
    const fail = (error: unknown): never => {
      const isSick = error instanceof ClientError && !isClosed(error)
      throw isSick ? this.#sicken(error, forwarded) : error
    }
    try {
      const { link, owner, peer } = call
      const found = connections.use({ link, owner, peer, forwarded })
      const used =
        found instanceof Promise ? found.then((one) => this.#tune(one, call)) : this.#tune(found, call)
      return used instanceof Promise ? used.catch(fail) : used
    } catch (error) {
      return fail(error)
    }
  }

  /** An upstream that logs hears first how much of that its caller wants. */
  #tune(used: Used, call: Call): Used | Promise<Used> {
    const { client } = used
    const told = this.#options.caller.setLevel(client, call)
    return told === undefined ? used : orRelease(told, used).then(() => used)
  }

  /** Who a caller says that it is is between it and the upstream, and no reason to leave others out. */
  #sicken(error: ClientError, forwarded: PlainHeaders | undefined): ClientError {
    if (error.details.status === 401 && forwarded?.['authorization'] !== undefined) return error
    const { health, caller } = this.#options
    return new ClientError(
      error.reason,
      health.trouble ?? health.sick(caller.discretion.of(error, forwarded)),
    )
  }
}

/** A caller that could have said that it knows tasks, and did not, is told what the upstream says to that. */
function areBothNew({ peer }: Call, { revision }: Client): boolean {
  return peer.revision.tasks === 'extension' && revision.tasks === 'extension'
}

async function orRelease(happening: Promise<void>, { release }: Used): Promise<void> {
  try {
    await happening
  } catch (error) {
    release()
    throw error
  }
}

const BROKEN = Symbol('the way to it is broken')
