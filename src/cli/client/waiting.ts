import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandOutput } from './output.ts'
import { oneLine } from './printable.ts'
import type { Where } from './where.ts'

/** How long one waits before one wants to know for whom, and before one wants to know all about it. */
const [PATIENCE_MS, LONG_MS] = [1000, 2000]

/** Tells whoever typed a command what it waits for, where nothing else is to be seen of it. */
export class WaitNotice {
  readonly #where: Where
  readonly #output: CommandOutput
  /** What the server has been asked. */
  asked: string

  constructor(where: Where, output: CommandOutput) {
    this.#where = where
    this.#output = output
    this.asked = `the greeting (${where.revision === undefined ? 'server/discover, then initialize' : where.revision})`
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
    const { name, timeoutMs } = this.#where
    const server = oneLine(name, 100)
    await sleep(PATIENCE_MS, undefined, { signal, ref: false })
    if (!this.#output.isSilent) return
    this.#output.showStatus(`waiting for ${server} …`)
    await sleep(LONG_MS - PATIENCE_MS, undefined, { signal, ref: false })
    this.#output.note(
      `waiting for ${server} to answer ${oneLine(this.asked, 200)}; a request of which nothing is heard for ${timeoutMs / 1000} s is given up (--timeout SECONDS)`,
    )
  }
}
