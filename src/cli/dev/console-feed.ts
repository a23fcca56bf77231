import { maskText } from '../../console/mask.ts'
import { isObject, type JsonObject } from '../../kernel/index.ts'

/** As many are kept for pages that are opened later. */
const MAX_NOTICES = 100

/** What happens between children, for the pages of the console. */
export class ConsoleNotices {
  #texts: string[] = []

  /** The event that tells of it. */
  add(level: 'info' | 'error', text: string): string {
    const notice = { type: 'notice', level, text: maskText(text), time: Date.now() }
    const event = `data: ${JSON.stringify(notice)}`
    this.#texts = [...this.#texts, event].slice(-MAX_NOTICES)
    return event
  }

  get all(): readonly string[] {
    return this.#texts
  }
}

/** What one page of the console is told by one child after the other, as if it had been told by one. */
export class ConsoleFeed {
  readonly #notices: ConsoleNotices
  #run: unknown
  /** What the numbers of the child that speaks begin after. */
  #offset = 0
  #last = 0

  constructor(notices: ConsoleNotices) {
    this.#notices = notices
  }

  /** Another child speaks, and counts from one. */
  begin(): void {
    this.#offset = this.#last
  }

  /** The events that the page is told instead of one of a child's. */
  rewrite(event: string): readonly string[] {
    const data = /^data: (.+)$/m.exec(event)?.[1]
    const told: unknown = data === undefined ? undefined : JSON.parse(data)
    if (!isObject(told)) return [event]
    if (told['type'] === 'hello') return this.#greet(told)
    return told['type'] === 'messages' ? [this.#renumber(told)] : [event]
  }

  /** Pages forget what they know when the run is another one. */
  #greet(hello: JsonObject): readonly string[] {
    const isFirst = this.#run === undefined
    this.#run ??= hello['run']
    const event = `data: ${JSON.stringify({ ...hello, run: this.#run })}`
    return isFirst ? [event, ...this.#notices.all] : [event]
  }

  #renumber(told: JsonObject): string {
    const items = (told['items'] as readonly { readonly seq: number }[]).map((item) => {
      this.#last = item.seq + this.#offset
      return { ...item, seq: this.#last }
    })
    return `id: ${this.#last}\ndata: ${JSON.stringify({ ...told, items })}`
  }
}
