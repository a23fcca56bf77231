import type { ConsoleEvent } from './events.ts'
import type { KeptMessage, KeptMessages } from './kept-messages.ts'

/** Where what a reader is told goes. */
export interface ConsoleSink {
  /** An event as JSON, with the number of the last message it tells of. */
  tell(event: string, seq?: number): void
  /** How many bytes of it have not been taken yet. */
  readonly unread: number
  end(): void
}

/** What readers are told from. */
interface ToldFrom {
  readonly messages: KeptMessages
  readonly state: string
  noticesAfter(number: number): { readonly texts: readonly string[]; readonly last: number }
}

/** The characters that are told in one go: no more than this waits for a reader that is slow. */
const BATCH = 256 * 1024

/** Somebody who reads: no queue, but a place among what is kept, so that whoever is slow makes nothing grow. */
export class Reader {
  readonly #told: ToldFrom
  readonly #sink: ConsoleSink
  #seq: number
  #notice: number
  #state = ''

  constructor(told: ToldFrom, sink: ConsoleSink, seq: number) {
    this.#told = told
    this.#sink = sink
    this.#seq = seq
    this.#notice = 0
  }

  /** Tells what there is, if it has taken what it was told before; says whether there is more. */
  catchUp(): boolean {
    const { messages } = this.#told
    if (this.#sink.unread > 0) return this.#seq < messages.last || this.#hasNews()
    this.#tellNews()
    const next = messages.after(this.#seq, BATCH)
    const [first] = next
    const last = next.at(-1)
    if (first === undefined || last === undefined) return false
    if (first.seq > this.#seq + 1) this.tell({ type: 'dropped', count: first.seq - this.#seq - 1 })
    this.#seq = last.seq
    this.#sink.tell(`{"type":"messages","items":[${next.map(printItem).join(',')}]}`, last.seq)
    return last.seq < messages.last
  }

  /** Tells what is no news of the server's, whether or not it has taken what it was told before. */
  tell(event: ConsoleEvent): void {
    this.#sink.tell(JSON.stringify(event))
  }

  end(): void {
    this.#sink.end()
  }

  #hasNews(): boolean {
    return this.#state !== this.#told.state || this.#notice !== this.#told.noticesAfter(this.#notice).last
  }

  #tellNews(): void {
    const { state } = this.#told
    const { texts, last } = this.#told.noticesAfter(this.#notice)
    if (state !== this.#state) this.#sink.tell(state)
    for (const text of texts) this.#sink.tell(text)
    this.#state = state
    this.#notice = last
  }
}

/** The text is JSON already. */
function printItem({ text, ...fields }: KeptMessage): string {
  return `${JSON.stringify(fields).slice(0, -1)},"message":${text}}`
}
