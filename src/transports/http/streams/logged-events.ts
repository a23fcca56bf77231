import {
  type Item,
  isObject,
  type Json,
  type Outgoing,
  print,
  type Store,
  sayingOf,
  textReply,
} from '../../../kernel/index.ts'

export type LoggedEvent = {
  /** Counts from 1 on each stream. */
  readonly number: number
  /** The message as it was sent. */
  readonly text: string
  /** Whether nothing comes after it; then it may be without a text. */
  readonly end?: true
}

/** An event, and the text that is held for it. */
interface HeldEvent {
  readonly event: LoggedEvent
  readonly held: string
}

/** A long text is printed whenever somebody wants it, and not for those who may never come back. */
export function eventOf(number: number, message?: Outgoing, end?: true): HeldEvent {
  const last = end === undefined ? undefined : { end }
  const said = message === undefined ? undefined : sayingOf(message)
  if (said === undefined || said.text.length < LONG) {
    const text = message === undefined ? '' : print(message)
    return { event: { number, text, ...last }, held: text }
  }
  const held = copy(said.text)
  const reply = textReply({ ...said, text: held })
  return {
    event: {
      number,
      get text() {
        return print(reply)
      },
      ...last,
    },
    held,
  }
}

/** Letters. */
const LONG = 16_384

/** A text that is part of a longer one would hold all of that. */
function copy(text: string): string {
  return ` ${text}`.slice(1)
}

/** The name of a stream's log, by which any node finds it. */
export function logOf(session: string, stream: string): string {
  return `events/${session}/${stream}`
}

/** What a node says of a stream that it does not have any more, instead of the number of its last event. */
export const OVER = -1

/** Where events are kept, and how many of a stream. */
interface Logs {
  readonly store: Store
  readonly options: { readonly keep: number }
}

/** What a log has kept after a number, each once: what a store was slow to confirm may have been given to it again. */
export async function readEvents(
  { store, options }: Logs,
  name: string,
  after: number,
): Promise<readonly LoggedEvent[]> {
  const events: LoggedEvent[] = []
  for (const { value } of await store.read(name, 0, options.keep))
    if (isEvent(value) && value.number > (events.at(-1)?.number ?? after)) events.push(value)
  return events
}

/** Reads a log as it grows: of what it has read it reads the last once more, to see that the log is still the same. */
export class LogReader {
  readonly #logs: Logs
  readonly #name: string
  /** The number that the store gave the last one, and that which it has on its stream. */
  #place = 0
  #number = 0

  constructor(logs: Logs, name: string) {
    this.#logs = logs
    this.#name = name
  }

  /** What has come since the last time. */
  async read(): Promise<readonly LoggedEvent[]> {
    const items = await this.#items()
    const last = items.at(-1)
    if (last !== undefined) this.#place = last.number
    const events = items.flatMap(({ value }) => (isEvent(value) ? [value] : []))
    this.#number = events.at(-1)?.number ?? this.#number
    return events
  }

  /** One that has begun anew, or that does not have the last one any more, is read from its beginning. */
  async #items(): Promise<readonly Item[]> {
    const { store, options } = this.#logs
    if (this.#place > 0) {
      const [last, ...rest] = await store.read(this.#name, this.#place - 1, options.keep)
      if (last?.number === this.#place && isEvent(last.value) && last.value.number === this.#number)
        return rest
    }
    return store.read(this.#name, 0, options.keep)
  }
}

function isEvent(value: Json): value is Json & LoggedEvent {
  return isObject(value) && typeof value['number'] === 'number' && 'text' in value
}
