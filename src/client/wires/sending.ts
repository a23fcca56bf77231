import { type Id, LONGEST_MS, Passing } from '../../kernel/index.ts'
import { ClientError } from '../errors.ts'
import type { Ear, Sent } from '../wire.ts'
import { wordsOf } from './fetching.ts'
import { pause, waitBeforeRetry } from './retrying.ts'
import { Stop, type StopSignal } from './stop.ts'

type Post = (signal: StopSignal) => Promise<void>

/** What is on its way to a server by POST: sent again where that is safe, and given up when nobody waits for it. */
export class Sending {
  readonly #ear: Ear
  readonly #timeoutMs: number
  readonly #requests = new Passing<Id, Stop>()
  /** Of what is no request. */
  readonly #others = new Set<Stop>()
  #closed = false
  #whenTaken = () => {}

  constructor(ear: Ear, timeoutMs: number) {
    this.#ear = ear
    this.#timeoutMs = Math.min(timeoutMs, LONGEST_MS)
  }

  /** A request is given up by whoever made it, anything else when the server has not taken it in time. */
  async send(message: Sent, post: Post): Promise<void> {
    const { id, method } = message
    const asks = id !== undefined && method !== undefined
    const stop = new Stop()
    const late = () =>
      stop.abort(new ClientError('timed-out', `The server did not take ${method ?? 'an answer'} in time`))
    const clock = asks ? undefined : setTimeout(late, this.#timeoutMs)
    if (asks) this.#requests.set(id, stop)
    else this.#others.add(stop)
    try {
      await post(stop).catch((error: unknown) => postAgain(error, { message, post, signal: stop }))
    } catch (error) {
      if (asks) this.#ear.fail(wordsOf(error), id)
      else if (!this.#closed) this.#ear.warn(wordsOf(error))
    } finally {
      clearTimeout(clock)
      if (asks) this.#requests.delete(id)
      else if (this.#others.delete(stop) && this.#others.size === 0) this.#whenTaken()
    }
  }

  cancel(id: Id): void {
    this.#requests.get(id)?.abort()
  }

  /** Nobody waits for an answer any more; what else was said, such as that a call is called off, has so long to be taken. */
  async close(patienceMs: number): Promise<void> {
    this.#closed = true
    for (const stop of [...this.#requests.values()]) stop.abort()
    if (this.#others.size === 0) return
    const taken = new Promise<void>((resolve) => {
      this.#whenTaken = resolve
    })
    const late = setTimeout(this.#whenTaken, patienceMs)
    await taken
    clearTimeout(late)
    for (const stop of this.#others) stop.abort()
  }
}

interface Delivery {
  readonly message: Sent
  readonly post: Post
  readonly signal: StopSignal
}

/** As often as that is safe and may help. */
async function postAgain(failure: unknown, { message, post, signal }: Delivery): Promise<void> {
  let error = failure
  for (let tries = 1; ; tries++) {
    const waitMs = signal.aborted ? undefined : waitBeforeRetry(error, message, tries)
    if (waitMs === undefined) throw error
    await pause(waitMs, signal)
    try {
      return await post(signal)
    } catch (again) {
      error = again
    }
  }
}
