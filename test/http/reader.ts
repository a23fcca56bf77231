import type { BodySink, Exchange, HttpHeaders, StreamWatch } from '../../src/transports/http/exchange.ts'

export interface Sent {
  readonly query?: string
  readonly headers?: HttpHeaders
  /** Text, or what is sent as JSON. */
  readonly body?: unknown
}

interface Answered {
  readonly status: number
  readonly headers: HttpHeaders
  readonly body: string | undefined
}

/** A client of one exchange. Of a stream it takes everything at once, unless it has been told to wait. */
export function createReader({ query = '', headers: sent = {}, body }: Sent = {}) {
  const answers: Answered[] = []
  const leaving: (() => void)[] = []
  const [heard, comments]: [string[], string[]] = [[], []]
  let [watch, headers]: [StreamWatch?, HttpHeaders?] = []
  let waiting: (() => void)[] | undefined
  const sink: BodySink = {
    unread: 0,
    write: (text) => {
      for (const one of text.split('\n\n')) if (one !== '') (one.startsWith(':') ? comments : heard).push(one)
    },
    drained: (run) => {
      if (waiting === undefined) run()
      else waiting.push(run)
    },
    end: (text) => {
      if (text !== undefined) sink.write(text)
      heard.push('end')
      watch?.ended()
    },
    destroy: () => void heard.push('destroy'),
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const exchange: Exchange = {
    method: body === undefined ? 'GET' : 'POST',
    path: '/',
    query,
    ownHosts: [],
    secure: false,
    remote: undefined,
    headers: sent,
    hooks: undefined,
    body: { read: (_limit, done) => done(text) },
    onGone: (run) => void leaving.push(run),
    answer: (status, told, words) => void answers.push({ status, headers: told, body: words }),
    stream: (told, watching) => {
      headers = told
      watch = watching
      return sink
    },
  }
  return {
    exchange,
    answers,
    /** The events, and its end. */
    heard,
    comments,
    get headers() {
      return headers
    },
    leave: () => {
      watch?.gone()
      for (const run of leaving.splice(0)) run()
    },
    /** Takes one event and no more. */
    pause: () => {
      waiting ??= []
    },
    resume: () => {
      const ready = waiting ?? []
      waiting = undefined
      for (const run of ready) run()
    },
  }
}
