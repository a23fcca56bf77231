import { expecting, text } from '../check/members.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { Peer } from './peer.ts'

/** The call whose progress is told. */
interface Progressing {
  readonly meta: JsonObject | undefined
  readonly peer: Peer
  notify(method: string, params: JsonObject): void
}

/** How far a call has come, as its client is told: it only ever increases. */
export class CallProgress {
  readonly #call: Progressing
  #last = Number.NEGATIVE_INFINITY
  #lastTold: number | undefined
  #total: number | undefined
  #times = 0

  constructor(call: Progressing) {
    this.#call = call
  }

  /** How often any was told. */
  get times(): number {
    return this.#times
  }

  say(progress: number, total?: number, message?: string): void {
    if (Number.isNaN(progress)) return // Nothing of nothing, which is no reason to fail.
    done(progress, 'call.progress')
    if (total !== undefined) whole(total, 'call.progress: total')
    if (message !== undefined) text(message, 'call.progress: message')
    if (progress <= this.#last) return
    this.#last = progress
    this.#total = total
    // What was told in the meantime, to break a silence, is a little more than what was said before.
    const told = this.#lastTold ?? Number.NEGATIVE_INFINITY
    this.#tell(progress > told ? progress : above(told), total, message)
  }

  /** Breaks a silence: tells a little more than was told last, and less than the tool is going to tell. */
  again(): void {
    this.#tell(above(this.#lastTold ?? 0), this.#total)
  }

  #tell(progress: number, total?: number, message?: string): void {
    const progressToken = this.#call.meta?.['progressToken']
    if (progressToken === undefined) return
    this.#lastTold = progress
    this.#times++
    const known = this.#call.peer.revision.fields.progress
    this.#call.notify('notifications/progress', {
      progressToken,
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && known.includes('message') && { message }),
    })
  }
}

const done = expecting('a finite number, as in call.progress(3, 10)', Number.isFinite)
const whole = expecting(
  'a finite number, and a message after it: call.progress(3, 10, message)',
  Number.isFinite,
)

/** A fraction above a number, as small as it can well be written. */
function above(number: number): number {
  return number + Math.max(1e-9, Math.abs(number) * 1e-12)
}
