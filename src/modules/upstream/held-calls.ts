import { type Call, Fault, type Json, Needs, type Server } from '../../kernel/index.ts'
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
    const state = { ...(open.state as { [key: string]: Json }), held: id, node: this.#server.tasks().node } // It was kept as JSON.
    return new Needs(open.questions, { state })
  }

  has(id: string | undefined): id is string {
    return id !== undefined && this.#held.has(id)
  }

  /** Goes on with a call whose client has come back. */
  async resume(id: string, call: Call): Promise<unknown> {
    const held = this.#held.get(id)
    if (held === undefined) throw this.#notOpen(call.state)
    this.#held.delete(id)
    held.stopClock()
    return this.settle(await held.open.resume(call), held.open)
  }

  #notOpen(state: unknown): Fault {
    const { node } = (state ?? {}) as { readonly node?: string }
    const isOurs = node === undefined || node === this.#server.tasks().node
    return new Fault(
      'invalidState',
      isOurs
        ? 'Invalid requestState: the call is no longer open, make it again'
        : 'Invalid requestState: the call is open on another node, which its upstream waits on. Make it again, or have the balancer keep each caller on one node',
    )
  }

  close(): void {
    this.#stopWatch()
    for (const id of [...this.#held.keys()]) this.#giveUp(id)
  }

  #giveUp(id: string): void {
    const held = this.#held.get(id)
    this.#held.delete(id)
    held?.stopClock()
    held?.open.letGo()
  }
}
