import { setTimeout as sleep } from 'node:timers/promises'
import type { WaitSubject } from './command.ts'
import type { CommandOutput } from './output.ts'
import { oneLine } from './printable.ts'
import type { Where } from './where.ts'

/** How long one waits before one wants to know for whom, and before one wants to know all about it. */
const [PATIENCE_MS, LONG_MS] = [1000, 2000]

/** Tells whoever typed a command what it waits for, where nothing else is to be seen of it. */
export class WaitNotice {
  readonly #where: Where
  readonly #output: CommandOutput
  /** What it is to do, and when that is given up. */
  #due = ''

  constructor(where: Where, output: CommandOutput) {
    this.#where = where
    this.#output = output
    this.awaits(`the greeting (${where.revision ?? 'server/discover, then initialize'})`)
  }

  awaits(what: WaitSubject): void {
    const seconds = this.#where.timeoutMs / 1000
    const behind = what === 1 ? 'a server' : `${what} servers`
    this.#due =
      typeof what === 'string'
        ? `to answer ${oneLine(what, 200)}; a request of which nothing is heard for ${seconds} s is given up`
        : `to hear from ${behind} behind it; what is not there after ${seconds} s is given up`
  }

  async until<Result>(waited: Promise<Result>): Promise<Result> {
    const done = new AbortController()
    this.#tell(done.signal).catch(() => {}) // It came in time.
    try {
      return await waited
    } finally {
      done.abort()
      this.#output.showStatus('')
    }
  }

  async #tell(signal: AbortSignal): Promise<void> {
    const server = oneLine(this.#where.name, 100)
    await sleep(PATIENCE_MS, undefined, { signal, ref: false })
    if (!this.#output.isSilent) return
    this.#output.showStatus(`waiting for ${server} …`)
    await sleep(LONG_MS - PATIENCE_MS, undefined, { signal, ref: false })
    this.#output.note(`waiting for ${server} ${this.#due} (--timeout SECONDS)`)
  }
}
