import { type Call, Fault, Needs, type Server } from '../../kernel/index.ts'
import type { OpenCall } from './open-call.ts'

interface HeldCall {
  readonly open: OpenCall
  readonly stopClock: () => void
}

/** Calls that are open upstream while their clients, which are asked by results, find the answers. */
export class HeldCalls {
  readonly #server: Server
  readonly #held = new Map<string, HeldCall>()
  readonly #stopWatch: () => void

  constructor(server: Server) {
    this.#server = server
    this.#stopWatch = server.usage.watch('maxUpstreamQuestions', () => this.#held.size)
  }

  /** What the client is told: a result, or what an open call asks; by the state it finds its way back. */
  settle(output: unknown, open: OpenCall): unknown {
    if (output !== open) return output
    const { platform, settings, budgets } = this.#server
    const [oldest] = this.#held.keys()
    if (oldest !== undefined && this.#held.size >= budgets.maxUpstreamQuestions) this.#giveUp(oldest)
    const id = platform.randomId()
    const stopClock = platform.after(settings.stateTtlMs, () => this.#giveUp(id))
    this.#held.set(id, { open, stopClock })
    return new Needs(open.questions, { state: { held: id } })
  }

  /** Goes on with a call whose client has come back. */
  async resume(id: string, call: Call): Promise<unknown> {
    const held = this.#held.get(id)
    if (held === undefined)
      throw new Fault('invalidState', 'Invalid requestState: the call is no longer open, make it again')
    this.#held.delete(id)
    held.stopClock()
    return this.settle(await held.open.resume(call), held.open)
  }

  close(): void {
    this.#stopWatch()
    for (const id of [...this.#held.keys()]) this.#giveUp(id)
  }

  #giveUp(id: string): void {
    const held = this.#held.get(id)
    this.#held.delete(id)
    held?.stopClock()
    held?.open.abort()
  }
}
