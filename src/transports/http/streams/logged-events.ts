import { isObject, type Json, type Store } from '../../../kernel/index.ts'

export interface LoggedEvent {
  /** Counts from 1 on each stream. */
  readonly number: number
  /** The message as it was sent. */
  readonly text: string
  /** Whether nothing comes after it; then it may be without a text. */
  readonly end?: true
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

/** What a log has kept after a number. */
export async function readEvents(
  { store, options }: Logs,
  name: string,
  after: number,
): Promise<readonly LoggedEvent[]> {
  const items = await store.read(name, 0, options.keep)
  return items.flatMap(({ value }) => (isEvent(value) && value.number > after ? [value] : []))
}

function isEvent(value: Json): value is Json & LoggedEvent {
  return isObject(value) && typeof value['number'] === 'number' && typeof value['text'] === 'string'
}
