import type { IncomingMessage } from 'node:http'

/** Hands on the events of a stream, each whole and as it came. */
export function splitEvents(stream: IncomingMessage, take: (event: string) => void): void {
  let begun = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    // Only what ends an event is worth looking at all of it, which may be long.
    if (!text.includes('\n\n') && !(text.startsWith('\n') && begun.endsWith('\n'))) {
      begun += text
      return
    }
    const events = `${begun}${text}`.split('\n\n')
    begun = events.pop() ?? ''
    for (const event of events) take(event)
  })
}

/** What an event has under a name. A line ends with a line feed here, and not with what else a text may end lines with. */
export function fieldOf(event: string, name: 'id' | 'event' | 'data'): string | undefined {
  const line = event.split('\n').find((one) => one.startsWith(`${name}:`))
  return line?.slice(name.length + 1).replace(/^ /, '')
}
