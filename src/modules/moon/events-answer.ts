import { accuracyOfEvents } from './accuracy.ts'
import { EVENT_KINDS, type EventSearch, eventFigures, findEvents, type MoonEvent } from './events.ts'
import { printNearestMinute } from './printed.ts'

type AskedEvents = Omit<EventSearch, 'kinds'> & { readonly kinds: EventSearch['kinds'] | undefined }

/** What the tool says: a line for each, and figures. */
export async function eventsAnswer({ kinds = EVENT_KINDS, ...asked }: AskedEvents) {
  const { events, more } = await findEvents({ ...asked, kinds })
  const accuracy = accuracyOfEvents(asked.from, asked.to)
  const last = more === undefined ? [] : [`There is more: ask again from ${more}.`]
  const text = [...(events.length === 0 ? ['Nothing.'] : events.map(printEvent)), ...last, accuracy].join(
    '\n',
  )
  return {
    content: [{ type: 'text' as const, text }],
    structuredContent: { events: events.map(eventFigures), ...(more !== undefined && { more }), accuracy },
  }
}

export function printEvent({ at, event, words = '' }: MoonEvent): string {
  return `${printNearestMinute(at)}  ${event}${words === '' ? '' : ` (${words})`}`
}
