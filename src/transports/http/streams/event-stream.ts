export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** A comment, so that whoever opens a stream sees that it is. */
export const OPENED = ': open\n\n'

export const KEEP_ALIVE = ': keep-alive\n\n'

/** A printed message as a server-sent event; JSON has no raw line breaks, so it is one line of data. */
export function printEvent(text: string, id?: string): string {
  return id === undefined ? `data: ${text}\n\n` : `id: ${id}\ndata: ${text}\n\n`
}

export function printNamedEvent(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`
}

/** An event without data: it gives the client an id to come back with, and tells it when. */
export function printPriming(id: string, retryMs: number): string {
  return `id: ${id}\nretry: ${retryMs}\ndata: \n\n`
}
