import { type Id, isObject, type JsonObject, META } from '../../kernel/index.ts'
import type { HostMemory } from './host-memory.ts'
import type { HostSpeaker } from './speaker.ts'

/** How the ids begin of what the next child is told here; the last has no more. */
export const REPLAY_ID = 'perigee-dev'

/** How long the next child may take for each thing that it is told. */
const PATIENCE_MS = 5000

/** Tells the next child what the client had agreed on with the one before, and keeps its answers from the client. */
export class Replay {
  readonly #child: HostSpeaker
  readonly #remembered: HostMemory
  readonly #waiting = new Map<unknown, () => void>()

  constructor(child: HostSpeaker, remembered: HostMemory) {
    this.#child = child
    this.#remembered = remembered
  }

  async run(): Promise<void> {
    let number = 0
    for (const { method, params } of this.#remembered.requests) {
      await this.#ask(`${REPLAY_ID}-${++number}`, method, params)
      if (method === 'initialize' && this.#remembered.isInitialized)
        this.#write({ method: 'notifications/initialized' })
    }
    // A notification has no answer; that to what comes after it says that it has been heard.
    if (this.#remembered.isInitialized) await this.#ask(REPLAY_ID, 'ping', {})
    for (const { id, method, params = {} } of this.#remembered.listening) await this.#ask(id, method, params)
  }

  /** Whether an answer is one to what was told here. */
  answered(child: HostSpeaker, id: unknown): boolean {
    if (child !== this.#child) return false
    const done = this.#waiting.get(id)
    this.#waiting.delete(id)
    done?.()
    return done !== undefined
  }

  /** Whether a notice says no more than that a subscription has been taken up again. */
  heard(child: HostSpeaker, method: string, params: JsonObject | undefined): boolean {
    if (child !== this.#child || method !== 'notifications/subscriptions/acknowledged') return false
    const meta = params?.['_meta']
    return this.answered(child, isObject(meta) ? meta[META.subscriptionId] : undefined)
  }

  lost(child: HostSpeaker): void {
    if (child === this.#child) for (const done of this.#waiting.values()) done()
  }

  #ask(id: Id, method: string, params: JsonObject): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(resolve, PATIENCE_MS)
      this.#waiting.set(id, () => {
        clearTimeout(late)
        resolve()
      })
      this.#write({ id, method, params })
    })
  }

  #write(message: JsonObject): void {
    this.#child.input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
}
