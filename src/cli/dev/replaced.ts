import { setTimeout as sleep } from 'node:timers/promises'
import type { DevChild } from './child.ts'

/** As many processes may go on whose code is no longer the newest. */
const MOST = 3

/** How often it is looked whether they still give way to anything, and how long they may take to show it. */
const [LOOK_MS, HEAR_MS] = [10_000, 5000]

/** Processes whose code has been replaced, and that have calls to finish. */
export class Replaced {
  /** What ends the wait for each, the one that was replaced first at the beginning. */
  readonly #waits = new Map<DevChild, (why: string) => void>()

  /** Resolves when a child's calls are over, or with the reason why it is not waited for any longer. */
  async finish(child: DevChild, settled: Promise<void>): Promise<string | undefined> {
    const givenUp = new Promise<string>((resolve) => {
      this.#waits.set(child, resolve)
    })
    const [oldest] = this.#waits.values()
    if (this.#waits.size > MOST) oldest?.(`its code has been replaced more than ${MOST} times since it began`)
    void this.#watch(child)
    const why = await Promise.race([settled.then(() => undefined), givenUp])
    this.#waits.delete(child)
    return why
  }

  /** A call may wait for a person as long as it likes; one that keeps the process from everything else ends by nothing. */
  async #watch(child: DevChild): Promise<void> {
    do await sleep(LOOK_MS, undefined, { ref: false })
    while (this.#waits.has(child) && (await child.hears(HEAR_MS)))
    this.#waits.get(child)?.('it kept its process from everything else after its code had been replaced')
  }
}
