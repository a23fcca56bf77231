import type { AppendOptions, Item, Json } from '../kernel/index.ts'

/** The last items of a log, whose numbers have no gaps. What was let go of is cut off once it is as much as what is left. */
export class MemoryLog {
  /** When it expires. */
  expires = 0
  #items: Item[] = []
  /** How many at the front were let go of. */
  #gone = 0
  #last = 0
  /** How long the printed items are, once somebody has asked to have that bounded. */
  #sizes: number[] | undefined
  #bytes = 0

  append(value: Json, { keep = Number.POSITIVE_INFINITY, keepBytes }: AppendOptions): number {
    this.#last++
    this.#items.push({ number: this.#last, value })
    if (keepBytes !== undefined) this.#measure()
    else if (this.#sizes !== undefined) this.#count(value)
    while (this.#left > Math.max(1, keep) || (this.#left > 1 && this.#bytes > (keepBytes ?? this.#bytes)))
      this.#drop()
    this.#compact()
    return this.#last
  }

  read(after: number, limit: number): readonly Item[] {
    const skipped = Math.max(0, after - (this.#last - this.#left))
    const start = this.#gone + skipped
    return this.#items.slice(start, start + limit)
  }

  get #left(): number {
    return this.#items.length - this.#gone
  }

  #measure(): void {
    const sizes = this.#sizes ?? []
    this.#sizes = sizes
    for (const { value } of this.#items.slice(sizes.length)) this.#count(value)
  }

  #count(value: Json): void {
    const size = sizeOf(value)
    this.#sizes?.push(size)
    this.#bytes += size
  }

  #drop(): void {
    this.#bytes -= this.#sizes?.[this.#gone] ?? 0
    // A place that is empty holds nothing up, until it is cut off with the others.
    this.#items[this.#gone] = NOTHING
    this.#gone++
  }

  #compact(): void {
    if (this.#gone <= this.#left) return
    this.#items = this.#items.slice(this.#gone)
    this.#sizes = this.#sizes?.slice(this.#gone)
    this.#gone = 0
  }
}

const NOTHING: Item = { number: 0, value: null }

/** What is text already is not printed once more to be measured. */
function sizeOf(value: Json): number {
  return typeof value === 'string' ? value.length + 2 : JSON.stringify(value).length
}
