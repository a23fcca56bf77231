import { type Outgoing, print, type ServerRequest } from '../../../kernel/index.ts'
import type { LoggedEvent } from './logged-events.ts'

const CHANGED = /^notifications\/(\w+\/list_changed|resources\/updated)$/

/** So many different changes are remembered of a session; there are three lists, and few subscribe to more. */
const MOST = 64

interface MissedChange {
  number: number
  readonly what: string
  message: ServerRequest
}

/** Of what has changed, however often, it is enough to know when it last did: no log has to be written for it. */
export class MissedChanges {
  #last: Map<string, MissedChange> | undefined
  #newest: MissedChange | undefined

  /** Whether a message says that something has changed. */
  isChange(message: Outgoing): message is ServerRequest {
    return 'method' in message && CHANGED.test(message.method)
  }

  /** Remembers a message that says that something has changed; tells whether it was one. */
  note(message: Outgoing, number: number): boolean {
    if (!this.isChange(message)) return false
    const uri = message.params?.['uri']
    const what = uri === undefined ? message.method : `${message.method} ${uri}`
    if (this.#newest?.what === what) {
      this.#newest.number = number // Mostly it is the same list again, and a thousand streams are told of it.
      this.#newest.message = message
      return true
    }
    this.#newest = { number, what, message }
    this.#last ??= new Map()
    this.#last.delete(what)
    this.#last.set(what, this.#newest)
    if (this.#last.size > MOST) for (const [oldest] of this.#last) return this.#last.delete(oldest)
    return true
  }

  after(number: number): readonly LoggedEvent[] {
    const missed = [...(this.#last?.values() ?? [])].filter((change) => change.number > number)
    return missed.map((change) => ({ number: change.number, text: print(change.message) }))
  }
}
