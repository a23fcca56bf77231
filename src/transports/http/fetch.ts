import { type AuthorServer, checkServer, settle } from '../../kernel/index.ts'
import { BytePieces } from '../byte-pieces.ts'
import { type Inbound, LARGE, type Traffic } from '../traffic.ts'
import { NOT_UTF8, refusal, refuse, UNREAD } from './answers.ts'
import { areTooSmall, bodyRefusals } from './body-refusals.ts'
import { checkSettings } from './check-settings.ts'
import type { Exchange, Refusal } from './exchange.ts'
import { FetchSink } from './fetch-sink.ts'
import { isLoopback, listHosts } from './guards/address.ts'
import { createHttpHandler, type HttpHandler } from './handler.ts'
import { DEFAULTS, GRACE_MS, type HttpOptions, type HttpSettings } from './settings.ts'

/** Answers a `Request` with a `Response`, until it is closed. */
export interface FetchHandler {
  (request: Request): Promise<Response>
  /** Answers what is under way, for this long at most, and ends the rest; tells whether all of it was answered. */
  close(graceMs?: number): Promise<boolean>
}

/**
 * The same server for whatever speaks `Request` and `Response`: Bun, Deno, Workers, Hono.
 * @example export default { fetch: createFetchHandler(server) }
 */
export function openFetchHandler(server: AuthorServer, options: HttpOptions = {}): FetchHandler {
  checkServer('createFetchHandler', server)
  const settings: HttpSettings = settle('createFetchHandler', { ...DEFAULTS, ...server.budgets }, options)
  checkSettings('createFetchHandler', server, settings)
  let made: HttpHandler | undefined
  let unserve = async () => {}
  const handler = () => {
    if (made !== undefined) return made
    made = createHttpHandler(server, settings) // With the first request: before it, Workers allow no timers.
    unserve = server.serve(() => close())
    return made
  }
  const close = async (graceMs = GRACE_MS) => {
    const finished = await handler().close(AbortSignal.timeout(graceMs))
    await unserve()
    return finished
  }
  const answer = (request: Request) =>
    new Promise<Response>((resolve) => {
      const { handle, traffic } = handler()
      handle(createExchange(request, traffic, resolve))
    })
  return Object.assign(answer, { close })
}

function createExchange(request: Request, traffic: Traffic, respond: (response: Response) => void): Exchange {
  const url = new URL(request.url)
  const leaving: (() => void)[] = []
  const leave = () => {
    for (const run of leaving.splice(0)) run()
  }
  request.signal.addEventListener('abort', leave)
  const exchange: Exchange = {
    method: request.method,
    path: url.pathname,
    query: url.search.slice(1),
    ownHosts: ownHostsOf(url),
    secure: url.protocol === 'https:',
    remote: undefined,
    hooks: undefined,
    headers: { host: url.host, ...Object.fromEntries(request.headers) },
    body: { read: (limit, done) => void readText(request, limit, traffic).then(done) },
    answer: (status, headers, body) => {
      leaving.length = 0
      const text = BODILESS.has(status) || request.method === 'HEAD' ? undefined : body
      if (text === undefined || text.length <= LARGE) return respond(new Response(text, { status, headers }))
      if (traffic.full) return refuse(exchange, UNREAD)
      const { readable, gone } = owe(text, traffic)
      leaving.push(gone)
      respond(new Response(readable, { status, headers }))
    },
    stream: (headers, watch) => {
      leaving.push(() => watch.gone())
      const sink = new FetchSink(leave, watch)
      respond(new Response(sink.readable, { headers }))
      return sink
    },
    onGone: (run) => void leaving.push(run),
  }
  return exchange
}

const BODILESS: ReadonlySet<number> = new Set([202, 204, 304])

/** Has a large answer count until its client has taken it. */
function owe(text: string, traffic: Traffic) {
  const gone = () => traffic.settle(sink)
  const sink = new FetchSink(gone)
  sink.write(text)
  traffic.owe(sink)
  sink.drained(() => {
    gone()
    sink.end()
  })
  return { readable: sink.readable, gone }
}

/** Whoever made the request knows no more of where we are than the name it was sent to. */
function ownHostsOf({ hostname, port }: URL): readonly string[] {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  return isLoopback(address) ? listHosts(address, Number(port || 80)) : []
}

const { tooLarge, tooSmallPieces, turnedAway } = bodyRefusals({})

async function readText(request: Request, limit: number, traffic: Traffic): Promise<string | Refusal> {
  if (Number(request.headers.get('content-length')) > limit) return tooLarge(limit)
  const reader = request.body?.getReader()
  if (reader === undefined) return ''
  const body = new BytePieces()
  const inbound = new ArrivingBody(reader, traffic)
  try {
    for (let pieces = 1; ; pieces++) {
      const { done, value } = await reader.read()
      if (inbound.refused !== undefined) return inbound.refused
      if (done) return decode(body.take())
      body.add(value)
      if (areTooSmall(pieces, body.length)) return inbound.stop(tooSmallPieces)
      if (body.length > limit) return inbound.stop(tooLarge(limit))
      traffic.arrive(inbound, value.length)
    }
  } catch {
    return inbound.refused ?? NOT_WHOLE
  } finally {
    traffic.taken(inbound)
  }
}

/** A body on its way, which can be told to stay away. */
class ArrivingBody implements Inbound {
  arriving = 0
  readonly sends = true
  refused: Refusal | undefined
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #traffic: Traffic

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>, traffic: Traffic) {
    this.#reader = reader
    this.#traffic = traffic
  }

  shed(): void {
    this.#traffic.taken(this)
    this.stop(turnedAway)
  }

  stop(refused: Refusal): Refusal {
    this.refused = refused
    this.#reader.cancel().catch(() => {}) // Whoever sends it may be gone already.
    return refused
  }
}

const NOT_WHOLE = refusal(400, 'Bad request: the body did not arrive whole')

function decode(bytes: Uint8Array): string | Refusal {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return NOT_UTF8
  }
}
