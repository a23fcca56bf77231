import { createEventLog, type Principal, parse, type Server } from '../../kernel/index.ts'
import { MemoryStore } from '../../stores/memory.ts'
import { answerPreflight, corsHeaders } from './cors.ts'
import { KEEP_ALIVE } from './event-stream.ts'
import { type Exchange, type HttpHeaders, isRefusal } from './exchange.ts'
import { checkAccept, checkContentType, checkHost, checkOrigin } from './guards.ts'
import { receivePostOnly } from './post-only.ts'
import { recognise } from './recognise.ts'
import { answerJson, refusal, refusalOf, refuse } from './refuse.ts'
import type { HttpSettings } from './settings.ts'
import type { Site } from './site.ts'
import { openPair, postToPair } from './sse-pair.ts'
import { closeSession, openStream, receiveStreamable } from './streamable.ts'

/** Serves MCP over HTTP in every shape it has had, one exchange at a time. */
export interface HttpHandler {
  handle(exchange: Exchange): void
  /** Takes nothing new, and resolves when what is under way has been answered and all streams are closed. */
  close(): Promise<void>
}

type Endpoint = (site: Site, exchange: Exchange, principal: Principal) => void

/** Methods by path. */
type Routes = ReadonlyMap<string, { readonly [method: string]: Endpoint }>

const SSE_PATH = '/sse'
const MESSAGES_PATH = '/messages'

export function createHttpHandler(server: Server, settings: HttpSettings): HttpHandler {
  const { eventsKept, eventsTtlMs, keepAliveMs, store = new MemoryStore() } = settings
  const site: Site = {
    server,
    settings,
    log: createEventLog(store, { keep: eventsKept, ttlMs: eventsTtlMs }),
    sessions: new Map(),
    pairs: new Map(),
    sinks: new Set(),
    calls: 0,
    closing: false,
    settled: () => {},
  }
  const routes = routesOf(settings)
  const stops = [
    every(server, keepAliveMs, () => keepAlive(site)),
    every(server, Math.max(10, settings.sessionIdleMs / 10), () => expire(site)),
  ]
  return {
    handle: (exchange) => handle(site, routes, exchange),
    close: async () => {
      for (const stop of stops) stop()
      await close(site)
    },
  }
}

function routesOf({ path, ssePair }: HttpSettings): Routes {
  const routes = new Map<string, { readonly [method: string]: Endpoint }>()
  routes.set(path, { POST: post, GET: openStream, DELETE: closeSession })
  if (ssePair) {
    routes.set(SSE_PATH, {
      GET: (site, exchange, principal) => openPair(site, exchange, principal, MESSAGES_PATH),
    })
    routes.set(MESSAGES_PATH, { POST: postToPair })
  }
  return routes
}

/** The order in which a request is looked at: where to, from where, from whom, and only then what. */
function handle(site: Site, routes: Routes, exchange: Exchange): void {
  const { settings } = site
  const refused = checkHost(exchange, settings) ?? checkOrigin(exchange, settings)
  if (refused !== undefined) return refuse(exchange, refused)
  const cors = settings.allowedOrigins.length === 0 ? undefined : corsHeaders(exchange, settings)
  const asked = cors === undefined ? exchange : withHeaders(exchange, cors)
  const page = settings.pages[exchange.path]
  if (page !== undefined) return page(asked)
  const document = settings.authenticator?.documents[exchange.path]
  if (document !== undefined) return answerJson(asked, 200, document, { 'access-control-allow-origin': '*' })
  const route = routes.get(exchange.path)
  if (route === undefined) return refuse(asked, refusal(404, `Not found: MCP is served at ${settings.path}`))
  if (cors !== undefined && exchange.method === 'OPTIONS')
    return answerPreflight(exchange, cors, argumentHeaders(site))
  const endpoint = Object.hasOwn(route, exchange.method) ? route[exchange.method] : undefined
  if (endpoint === undefined) {
    const allow = Object.keys(route).join(', ')
    return refuse(asked, refusal(405, `Method not allowed: expected ${allow}`, { allow }))
  }
  if (site.closing)
    return refuse(asked, refusal(503, 'Service unavailable: the server is closing', { connection: 'close' }))
  authenticate(site, asked, (principal) => endpoint(site, asked, principal))
}

const ANYBODY: Principal = { id: 'anonymous', anonymous: true }

function authenticate(
  { server, settings }: Site,
  exchange: Exchange,
  go: (principal: Principal) => void,
): void {
  const { authenticator } = settings
  if (authenticator === undefined) return go(ANYBODY)
  const settle = (found: Principal | ReturnType<typeof refusal>) =>
    isRefusal(found) ? refuse(exchange, found) : go(found)
  const found = authenticator.authenticate(exchange)
  if (!(found instanceof Promise)) return settle(found)
  found.then(settle, (error: unknown) => {
    server.observe({ kind: 'crashed', error, method: 'authenticate' })
    refuse(exchange, refusal(503, 'Service unavailable: callers cannot be checked right now'))
  })
}

function post(site: Site, exchange: Exchange, principal: Principal): void {
  const { settings } = site
  const refused =
    checkContentType(exchange) ??
    checkAccept(exchange, ['application/json', 'text/event-stream']) ??
    (site.calls >= settings.maxCalls
      ? refusal(503, 'Service unavailable: too many calls under way', { 'retry-after': '1' })
      : undefined)
  if (refused !== undefined) return refuse(exchange, refused)
  exchange.readBody(settings.maxBodyBytes, (body) => {
    if (typeof body !== 'string') return refuse(exchange, body)
    const incoming = parse(body)
    if (incoming.kind === 'refused') return refuse(exchange, refusalOf(400, incoming.fault), incoming.id)
    const shape = incoming.kind === 'batch' ? 'streamable' : recognise(incoming, exchange)
    if (shape === 'streamable' || incoming.kind === 'batch')
      return receiveStreamable(site, incoming, exchange, principal)
    receivePostOnly(site, incoming, exchange, principal)
  })
}

/** Whatever the answer, a browser needs these headers to read it. */
function withHeaders(exchange: Exchange, headers: HttpHeaders): Exchange {
  return {
    method: exchange.method,
    path: exchange.path,
    query: exchange.query,
    local: exchange.local,
    header: (name) => exchange.header(name),
    readBody: (limit, done) => exchange.readBody(limit, done),
    onGone: (run) => exchange.onGone(run),
    answer: (status, own, body) => exchange.answer(status, { ...own, ...headers }, body),
    stream: (own) => exchange.stream({ ...own, ...headers }),
  }
}

function argumentHeaders({ server }: Site): readonly string[] {
  return [...server.tools].flatMap((tool) => tool.headers.map(({ name }) => `Mcp-Param-${name}`))
}

function every(server: Server, milliseconds: number, run: () => void): () => void {
  let stop = server.platform.after(milliseconds, again)
  function again() {
    run()
    stop = server.platform.after(milliseconds, again)
  }
  return () => stop()
}

function keepAlive({ sinks }: Site): void {
  for (const sink of [...sinks]) sink.write(KEEP_ALIVE)
}

function expire({ sessions, server }: Site): void {
  const now = server.platform.now()
  for (const session of [...sessions.values()]) if (session.isIdle(now)) session.end()
}

async function close(site: Site): Promise<void> {
  site.closing = true
  site.server.end()
  for (const session of site.sessions.values()) session.standalone.disconnect()
  await quiet(site, () => site.calls === 0)
  for (const session of [...site.sessions.values()]) session.end()
  for (const pair of [...site.pairs.values()]) pair.end()
  await quiet(site, () => site.sinks.size === 0)
}

function quiet(site: Site, isQuiet: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    site.settled = () => {
      if (isQuiet()) resolve()
    }
    site.settled()
  })
}
