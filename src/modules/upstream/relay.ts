import { type Client, ClientError } from '../../client/index.ts'
import { type Call, isObject, type JsonObject, type Server } from '../../kernel/index.ts'
import { callThrough } from './call-through.ts'
import type { Caller } from './caller.ts'
import type { UpstreamConnections } from './connections.ts'
import { isClosed, isForgetful, isReplaced, isUnspoken } from './errors.ts'
import { FollowedTasks } from './followed-tasks.ts'
import { isInItsName, type PlainHeaders } from './forwarded.ts'
import type { Health } from './health.ts'
import { HeldCalls } from './held-calls.ts'
import { givenAway, type Used } from './kept-connection.ts'
import { type Ask, OpenCall } from './open-call.ts'
import type { UpstreamOptions } from './options.ts'
import { paramsOf, type RoundState } from './params.ts'
import { beginTask } from './relayed-tasks.ts'
import { siblingsOf } from './siblings.ts'
import type { Tally } from './tally.ts'
import { Telling } from './telling.ts'
import { OTHERS_WAIT_MS, within } from './within.ts'

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

/** Has an upstream answer calls. */
export class UpstreamRelay {
  readonly #options: UpstreamRelayOptions
  readonly #held: HeldCalls
  readonly #telling: Telling
  /** What there is of this upstream and is not closed, the newest last: those before it finish what they have begun. */
  readonly #makes: Set<UpstreamRelay>
  /** The tasks that calls of it have become. */
  readonly tasks: FollowedTasks

  constructor(options: UpstreamRelayOptions) {
    this.#options = options
    const { server, name, tally, caller } = options
    this.#held = new HeldCalls(server, tally)
    this.#telling = new Telling(options)
    this.#makes = makesOf(server, name)
    this.#makes.add(this)
    this.tasks = new FollowedTasks({
      server,
      tally,
      open: (call, ask, task) => this.#open(call, ask, { task }),
      explain: (error, call) => this.explain(error, call),
      hide: (text, call) => caller.discretion.hide(text, this.#telling.forwarded(call)),
      successor: () => (this.#makes.has(this) ? undefined : [...this.#makes].at(-1)?.tasks),
    })
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

  explain(thrown: unknown, call: Call): unknown {
    return this.#telling.explain(thrown, call)
  }

  close(): Promise<void> {
    this.#makes.delete(this)
    return this.#held.close()
  }

  async #go(call: Call, ask: Ask): Promise<unknown> {
    const { name, tally } = this.#options
    const { held } = (call.state ?? {}) as RoundState
    const began = tally.begin()
    call.upstream = name
    try {
      if (held === undefined) return await this.#open(call, ask)
      return await (this.#holderOf(held) ?? this.#held)
        .resume(held, call)
        .catch((error) => this.#judge(error, call))
    } catch (error) {
      throw this.explain(error, call)
    } finally {
      tally.end(began)
    }
  }

  /** Where nobody is there, or nobody is let in, everybody else need not try for a while; whether that is so, a look of our own says. */
  async #judge(error: unknown, call: Call): Promise<never> {
    if (!(error instanceof ClientError)) throw error
    const { connections, doubt, health, server } = this.#options
    const isAway = error.reason === 'unreachable' || error.details.status === 401
    if (isForgetful(error) || (isAway && !isInItsName(error, this.#telling.forwarded(call)))) {
      await within(OTHERS_WAIT_MS, doubt(), server) // What one caller finds says nothing of what others do.
      throw health.refusal(error.reason) ?? error
    }
    if (error.reason === 'lost' && !connections.isKept) void doubt()
    throw error
  }

  async #open(call: Call, ask: Ask, task?: JsonObject): Promise<unknown> {
    const { held } = (call.state ?? {}) as RoundState
    const holder = this.#holderOf(held)
    if (held !== undefined && holder !== undefined) return holder.resume(held, call)
    for (let tries = 1; ; tries++) {
      const used = this.#use(call, this.#telling.forwarded(call))
      const ready = used instanceof Promise ? await used : used
      const { client } = ready
      const output = await this.#begin(ready, call, { ask, task }).catch(async (error: unknown) => {
        if (isClosed(error) && this.#options.connections.hasGivenWay(client)) throw givenAway()
        if (!isUnspoken(error, client.revision)) return this.#judge(error, call)
        if (tries > 1 || call.aborted) throw error
        if (!(await isReplaced(error, client, call.signal))) throw (error as Error).cause
        this.#options.connections.abandon(client)
        void this.#options.doubt()
        return UNSPOKEN // It was refused before anything was done.
      })
      if (output !== UNSPOKEN) return output
    }
  }

  async #begin(ready: Used, call: Call, { ask, task }: RelayedAsk): Promise<unknown> {
    const forwarded = this.#telling.forwarded(call)
    const { vetted, caller } = this.#options
    const pass = (result: unknown) =>
      isObject(result) ? caller.discretion.ofResult(result, forwarded) : result
    const passing: Ask = (client, options) => ask(client, options).then(pass)
    const open = new OpenCall(call, { forwarded, task, vetted, told: this.#telling.told })
    const vetting = vetted(ready.client, call)
    if (vetting !== undefined) await orRelease(vetting, ready)
    const output = await open.begin(ready, passing)
    return this.#held.settle(output, open, call.owner)
  }

  /** Where a call is open: here, or at one that is about to go. */
  #holderOf(id: string | undefined): HeldCalls | undefined {
    const all = [...this.#makes].map((one) => one.#held)
    return all.find((held) => held.has(id))
  }

  #use(call: Call, forwarded: PlainHeaders | undefined): Used | Promise<Used> {
    const { health, connections } = this.#options
    const { link, owner, peer } = call
    const holding = { link, owner, peer, forwarded }
    const refusal = health.refusal('unreachable')
    if (refusal !== undefined && !connections.isProvedFor(holding, health)) throw refusal
    const fail = (error: unknown): never => {
      const isForAll = error instanceof ClientError && !isClosed(error) && !connections.isKept
      throw isForAll ? this.#sicken(error, forwarded) : error
    }
    try {
      const found = connections.use(holding)
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
    if (told === undefined) return used
    return orRelease(told, used).then(
      () => used,
      (error) => this.#judge(error, call),
    )
  }

  #sicken(error: ClientError, forwarded: PlainHeaders | undefined): ClientError {
    if (isInItsName(error, forwarded)) return error
    const { health, caller } = this.#options
    if (health.trouble === undefined) health.sick(caller.discretion.of(error, forwarded))
    return health.refusal(error.reason) ?? error
  }
}

/** By the upstreams of a server, and their names. */
const MAKES = new WeakMap<object, Map<string, Set<UpstreamRelay>>>()

function makesOf(server: Server, name: string): Set<UpstreamRelay> {
  const all = siblingsOf(server) // One and the same, through whichever face the server is seen.
  const named = MAKES.get(all) ?? new Map<string, Set<UpstreamRelay>>()
  MAKES.set(all, named)
  const makes = named.get(name) ?? new Set()
  named.set(name, makes)
  return makes
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

interface RelayedAsk {
  readonly ask: Ask
  readonly task: JsonObject | undefined
}

const UNSPOKEN = Symbol('what was spoken is not known there any more')
