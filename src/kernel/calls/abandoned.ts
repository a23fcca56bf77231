import type { Ledger } from '../budgets/ledger.ts'
import { CALL, weigh } from '../budgets/weight.ts'
import { findString } from '../check/params.ts'
import type { JsonObject } from '../jsonrpc/message.ts'

/** What counts of a call that may be abandoned. */
interface AbandonedCall {
  readonly owner: string
  readonly method: string
  readonly params: JsonObject | undefined
  running: Promise<unknown> | undefined
}

/** Calls that nobody waits for any more and whose functions go on, which keep what they were given until they end. */
export class Abandoned {
  readonly #bytes: Ledger<string>
  /** How many go on, by what was called. */
  readonly #functions = new Map<string, number>()

  constructor(bytes: Ledger<string>) {
    this.#bytes = bytes
  }

  /** How many functions have calls that go on. */
  get size(): number {
    return this.#functions.size
  }

  /** Nobody waits for a call any more; one without a function that has promised something leaves nothing behind. */
  add(call: AbandonedCall): void {
    const { running, owner, params } = call
    if (running === undefined) return
    const called = calledBy(call)
    const weight = CALL + weigh(params)
    let counted = true
    const release = () => {
      if (!counted) return
      counted = false
      this.#count(called, -1)
      this.#bytes.remove(owner, weight)
    }
    call.running = undefined
    this.#count(called, 1)
    this.#bytes.count(owner, weight)
    COLLECTED?.register(running, release)
    running.then(release, release)
  }

  /** Refuses a call if there are too many, and it would be one more of those. */
  check(call: AbandonedCall): void {
    if (this.#functions.has(calledBy(call))) this.#bytes.check(call.owner, 0)
  }

  #count(called: string, change: number): void {
    const count = (this.#functions.get(called) ?? 0) + change
    if (count === 0) this.#functions.delete(called)
    else this.#functions.set(called, count)
  }
}

/** What nobody can end any more is collected, and so counts no longer; not every runtime tells. */
const COLLECTED =
  typeof FinalizationRegistry === 'undefined'
    ? undefined
    : new FinalizationRegistry<() => void>((release) => release())

/** A tool by its name; URIs are the caller's to choose. */
function calledBy({ method, params }: AbandonedCall): string {
  return method === 'tools/call' ? `${method} ${findString(params, 'name')}` : method
}
