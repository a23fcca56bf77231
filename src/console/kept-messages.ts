import type { ConsoleMessage } from './events.ts'

/** A message as it is kept: what is known of it, and itself as text, so that nothing else is held by it. */
export interface KeptMessage extends Omit<ConsoleMessage, 'message'> {
  readonly text: string
}

export interface KeptLimits {
  readonly messages: number
  readonly bytes: number
}

/** What the fields beside the text take, roughly. */
const FIELDS = 200

/** The last messages, as many as there is room for. */
export class KeptMessages {
  readonly #limits: KeptLimits
  #all: KeptMessage[] = []
  /** How many at its front are forgotten; they are taken off together, since each time moves all others. */
  #gone = 0
  #bytes = 0
  #last = 0

  constructor(limits: KeptLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#all.length - this.#gone
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The number of the last message there has been. */
  get last(): number {
    return this.#last
  }

  add(message: Omit<KeptMessage, 'seq'>): void {
    this.#all.push({ ...message, seq: ++this.#last })
    this.#bytes += weightOf(message)
    while (this.size > this.#limits.messages || (this.#bytes > this.#limits.bytes && this.size > 0))
      this.#forgetFirst()
    if (this.#gone > 1000 && this.#gone * 2 > this.#all.length) this.#tidy()
  }

  /** Those after a number, until their texts are so long together; at least one, if there is one. */
  after(seq: number, length = Number.POSITIVE_INFINITY): readonly KeptMessage[] {
    const first = this.#last - this.size + 1
    const from = this.#gone + Math.max(0, seq + 1 - first)
    let to = from
    for (let sum = 0; to < this.#all.length && sum < length; to++) sum += this.#all[to]?.text.length ?? 0
    return this.#all.slice(from, to)
  }

  #forgetFirst(): void {
    const first = this.#all[this.#gone++]
    if (first !== undefined) this.#bytes -= weightOf(first)
    if (this.size === 0) this.#tidy()
  }

  #tidy(): void {
    this.#all = this.#all.slice(this.#gone)
    this.#gone = 0
  }
}

function weightOf({ text }: { readonly text: string }): number {
  return text.length + FIELDS
}
