import { type Call, Fault, type Json, Needs, type Server } from '../../kernel/index.ts'
import { HeldElsewhere } from './held-elsewhere.ts'
import { mostHeld } from './most-held.ts'
import type { CallerSide, OpenCall } from './open-call.ts'
import type { RoundState } from './params.ts'
import type { Tally } from './tally.ts'

interface HeldCall {
  readonly open: OpenCall
  readonly owner: string
  readonly stopClock: () => void
  /** Told when it is no longer held, and has gone as far as it goes now. */
  readonly leave: () => void
}

/** Calls that are open upstream while their clients, which are asked by results, find the answers. */
export class HeldCalls {
  readonly #server: Server
  readonly #tally: Tally
  readonly #held = new Map<string, HeldCall>()
  readonly #elsewhere: HeldElsewhere
  readonly #stopWatch: () => void

  constructor(server: Server, tally: Tally) {
    this.#server = server
    this.#tally = tally
    this.#elsewhere = new HeldElsewhere({ server, resume: (id, caller) => this.#goOn(id, caller) })
    this.#stopWatch = server.usage.watch('maxUpstreamQuestions', () => this.#held.size)
  }

  /** What the client is told: a result, or what an open call asks; by the state it finds its way back. */
  settle(output: unknown, open: OpenCall, owner: string): unknown {
    return output === open ? this.#hold(open, owner) : output
  }

  async #hold(open: OpenCall, owner: string): Promise<unknown> {
    if (!open.isAnswerable) {
      const { questions } = open
      open.abort()
      return new Needs(questions) // Which says what the client lacks.
    }
    const { platform, settings } = this.#server
    this.#makeRoom(owner)
    const id = platform.randomId()
    const stopClock = platform.after(settings.stateTtlMs, () => this.#giveUp(id))
    this.#held.set(id, { open, owner, stopClock, leave: this.#tally.stay() })
    await this.#elsewhere.open().catch(() => {}) // While the store is away, it is found on this node alone.
    const state = { ...(open.state as { [key: string]: Json }), held: id, node: this.#elsewhere.node } // It was kept as JSON.
    return new Needs(open.questions, { state })
  }

  has(id: string | undefined): id is string {
    return id !== undefined && this.#held.has(id)
  }

  /** Goes on with a call whose client has come back, wherever it is open. */
  resume(id: string, call: Call): Promise<unknown> {
    const { node } = call.state as RoundState // As settled.
    const { shared } = this.#server.platform.store
    const isOurs = node === undefined || node === this.#elsewhere.node || !shared
    return isOurs ? this.#goOn(id, call) : this.#elsewhere.resume(node, id, call)
  }

  async close(): Promise<void> {
    this.#stopWatch()
    for (const id of [...this.#held.keys()]) this.#giveUp(id)
    await this.#elsewhere.close()
  }

  async #goOn(id: string, caller: CallerSide): Promise<unknown> {
    const held = this.#held.get(id)
    if (held === undefined) throw new Fault('invalidState', NOT_OPEN)
    this.#held.delete(id)
    held.stopClock()
    try {
      return this.settle(await held.open.resume(caller), held.open, held.owner)
    } finally {
      held.leave()
    }
  }

  /** The oldest goes of whoever has most. */
  #makeRoom(owner: string): void {
    if (this.#held.size < this.#server.budgets.maxUpstreamQuestions) return
    const held = [...this.#held]
    const greedy = mostHeld(
      held.map(([, one]) => one.owner),
      owner,
    )
    const [oldest] = held.find(([, one]) => greedy.has(one.owner)) ?? []
    if (oldest !== undefined) this.#giveUp(oldest)
  }

  #giveUp(id: string): void {
    const held = this.#held.get(id)
    this.#held.delete(id)
    held?.stopClock()
    held?.open.letGo()
    held?.leave()
  }
}

const NOT_OPEN = 'Invalid requestState: the call is no longer open, make it again'
