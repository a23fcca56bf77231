import { Fault, type Principal, type Server } from '../../kernel/index.ts'
import { answerJson, CLOSING, refusal, refusalOf, refuse } from './answers.ts'
import { completeAuthenticator, UNKNOWN } from './auth/authenticator.ts'
import { type Exchange, type HttpHeaders, isRefusal, type Refusal } from './exchange.ts'
import {
  checkContentType,
  checkForwarded,
  checkHost,
  checkOrigin,
  checkPostAccept,
} from './guards/address.ts'
import { checkHostName, checkOriginName } from './guards/allowed-names.ts'
import { answerPreflight, corsHeaders } from './guards/cors.ts'
import { Places } from './limits.ts'
import { readMessage } from './read-message.ts'
import { answerHealth, createRefusalHooks } from './refusal-hooks.ts'
import type { HttpSettings } from './settings.ts'
import { recognise } from './shapes/recognise.ts'
import { openPair, postToPair } from './shapes/sse-pair.ts'
import { receiveStateless } from './shapes/stateless.ts'
import { closeSession, openStream, receiveStreamable } from './shapes/streamable.ts'
import type { HttpState } from './state.ts'
import { EventLog } from './streams/event-log.ts'
import { KEEP_ALIVE } from './streams/event-stream.ts'
import { Traffic } from './traffic.ts'

/** Serves MCP over HTTP in every shape it has had, one exchange at a time. */
export interface HttpHandler {
  /** The bytes that are on their way, for whoever moves them. */
  readonly traffic: Traffic
  /** Whether there is anything at a path. */
  serves(path: string): boolean
  handle(exchange: Exchange): void
  /** Takes nothing new, answers what is under way until it is late, and ends the rest; tells whether all was answered. */
  close(late: AbortSignal): Promise<boolean>
}

type Endpoint = (state: HttpState, exchange: Exchange, principal: Principal) => void

/** Methods by path. */
type Routes = ReadonlyMap<string, { readonly [method: string]: Endpoint }>

export function createHttpHandler(server: Server, settings: HttpSettings): HttpHandler {
  for (const host of settings.allowedHosts) checkHostName('allowedHosts', host)
  for (const origin of settings.allowedOrigins) checkOriginName('allowedOrigins', origin)
  const { authenticator } = settings
  const state: HttpState = {
    server,
    settings,
    authenticator: authenticator === undefined ? undefined : completeAuthenticator(authenticator),
    log: openLog(server, settings),
    sessions: new Map(),
    pairs: new Map(),
    links: new Set(),
    sinks: new Set(),
    traffic: new Traffic(settings, server.platform.now),
    places: new Places(),
    closing: false,
    settled: () => {},
  }
  const routes = routesOf(settings)
  const hooks = createRefusalHooks(state)
  watchUsage(state)
  const stops = [
    every(server, settings.keepAliveMs, () => keepAlive(state)),
    every(server, Math.min(MAX_SWEEP_MS, Math.max(10, settings.sessionIdleMs / 10)), () => expire(state)),
  ]
  return {
    traffic: state.traffic,
    serves: (path) => routes.has(path) || path === settings.health || Object.hasOwn(settings.pages, path),
    handle: (exchange) => {
      exchange.hooks = hooks
      try {
        handle(state, routes, exchange)
      } catch (error) {
        fail(state, exchange, error)
      }
    },
    close: async (late) => {
      for (const stop of stops) stop()
      return close(state, late)
    },
  }
}

/** How often what has expired is let go, at least. */
const MAX_SWEEP_MS = 15_000

function openLog(server: Server, settings: HttpSettings): EventLog {
  return new EventLog(settings.store ?? server.platform.store, {
    keep: settings.maxEventsPerStream,
    ttlMs: settings.eventsTtlMs,
    streamBytes: settings.maxKeptPerStreamBytes,
    sessionBytes: settings.maxKeptPerSessionBytes,
    bytes: settings.maxKeptBytes,
    now: server.platform.now,
  })
}

function watchUsage(state: HttpState): void {
  const { usage } = state.server
  usage.watch('maxCalls', () => state.places.all.working)
  usage.watch('maxCallsPerCaller', () => state.places.most(({ working }) => working))
  usage.watch('maxQuestions', () => state.places.all.asking)
  usage.watch('maxSessions', () => state.places.all.sessions)
  usage.watch('maxSessionsPerCaller', () => state.places.most(({ sessions }) => sessions))
  usage.watch('maxStreamsPerSession', () => mostStreams(state))
  usage.watch('maxStreams', () => state.places.all.streams)
  usage.watch('maxStreamsPerCaller', () => state.places.most(({ streams }) => streams))
  usage.watch('maxKeptBytes', () => state.log.bytes)
  usage.watch('maxKeptPerSessionBytes', () => state.log.largestSession)
  usage.watch('maxKeptPerStreamBytes', () => state.log.largestStream.bytes)
  usage.watch('maxEventsPerStream', () => state.log.largestStream.events)
  usage.watch('maxArrivingBytes', () => state.traffic.arriving)
  usage.watch('maxUnsentBytes', () => state.traffic.unsent)
}

function mostStreams({ sessions }: HttpState): number {
  let most = 0
  for (const { openStreams } of sessions.values()) most = Math.max(most, openStreams)
  return most
}

function routesOf({ path, base, ssePair }: HttpSettings): Routes {
  const routes = new Map<string, { readonly [method: string]: Endpoint }>()
  routes.set(path, { POST: post, GET: openStream, DELETE: closeSession })
  if (ssePair) {
    const beside = path.replace(/\/[^/]*$/, '')
    const messages = `${beside}/messages`
    routes.set(`${beside}/sse`, {
      GET: (state, exchange, principal) => openPair(state, exchange, principal, `${base}${messages}`),
    })
    routes.set(messages, { POST: postToPair })
  }
  return routes
}

/** The order in which a request is looked at: where to, from where, from whom, and only then what. */
function handle(state: HttpState, routes: Routes, exchange: Exchange): void {
  const { settings } = state
  if (exchange.path === settings.health) return answerHealth(state, exchange)
  const refused =
    checkHost(exchange, settings) ?? checkOrigin(exchange, settings) ?? checkForwarded(exchange, settings)
  if (refused !== undefined) return refuse(exchange, refused)
  const cors = settings.allowedOrigins.length === 0 ? undefined : corsHeaders(exchange, settings)
  const asked = cors === undefined ? exchange : withHeaders(exchange, cors)
  const page = settings.pages[exchange.path]
  if (page !== undefined) return page(asked)
  const document = state.authenticator?.documents[exchange.path]
  if (document !== undefined) return answerJson(asked, 200, document, { 'access-control-allow-origin': '*' })
  const route = routes.get(exchange.path)
  if (route === undefined)
    return refuse(asked, refusal(404, `Not found: MCP is served at ${settings.base}${settings.path}`))
  if (cors !== undefined && exchange.method === 'OPTIONS')
    return answerPreflight(exchange, cors, extraHeaders(state))
  const upgrade = exchange.header('upgrade')?.toLowerCase() === 'websocket'
  const endpoint = !upgrade && Object.hasOwn(route, exchange.method) ? route[exchange.method] : undefined
  if (endpoint === undefined) {
    const allow = Object.keys(route).join(', ')
    return refuse(asked, refusal(405, `Method not allowed: expected ${allow}`, { allow }))
  }
  if (state.closing) return refuse(asked, CLOSING)
  // Looking who it is takes time, in which closing may begin.
  authenticate(state, asked, (principal) =>
    state.closing ? refuse(asked, CLOSING) : endpoint(state, asked, principal),
  )
}

/** A mistake of ours, or of an authenticator or a page; its details stay on our side. */
function fail({ server }: HttpState, exchange: Exchange, error: unknown): void {
  server.observe({ kind: 'crashed', error, method: `${exchange.method} ${exchange.path}` })
  refuse(exchange, refusalOf(500, new Fault('internalError')))
}

const ANYBODY: Principal = { id: 'anonymous', anonymous: true }

function authenticate(
  { server, authenticator }: HttpState,
  exchange: Exchange,
  go: (principal: Principal) => void,
): void {
  if (authenticator === undefined) return go(ANYBODY)
  const settle = (found: Principal | Refusal = UNKNOWN) =>
    isRefusal(found) ? refuse(exchange, found) : go(found)
  const found = authenticator.authenticate(exchange)
  if (!(found instanceof Promise)) return settle(found)
  found.then(settle, (error: unknown) => {
    server.observe({ kind: 'crashed', error, method: 'authenticate' })
    refuse(exchange, refusal(503, 'Service unavailable: callers cannot be checked right now'))
  })
}

function post(state: HttpState, exchange: Exchange, principal: Principal): void {
  const refused = checkContentType(exchange) ?? checkPostAccept(exchange)
  if (refused !== undefined) return refuse(exchange, refused)
  readMessage(state, exchange, (incoming) => {
    RECEIVE[recognise(incoming, exchange)](state, incoming, exchange, principal)
  })
}

const RECEIVE = { stateless: receiveStateless, streamable: receiveStreamable }

/** Whatever the answer, a browser needs these headers to read it. */
function withHeaders(exchange: Exchange, headers: HttpHeaders): Exchange {
  return {
    method: exchange.method,
    path: exchange.path,
    query: exchange.query,
    local: exchange.local,
    remote: exchange.remote,
    hooks: exchange.hooks,
    header: (name) => exchange.header(name),
    readBody: (limit, done) => exchange.readBody(limit, done),
    onGone: (run) => exchange.onGone(run),
    answer: (status, own, body) => exchange.answer(status, { ...own, ...headers }, body),
    stream: (own) => exchange.stream({ ...own, ...headers }),
  }
}

/** What a browser must be allowed to send beside the usual. */
function extraHeaders({ server, authenticator }: HttpState): readonly string[] {
  const key = authenticator?.header
  const named = [...server.tools].flatMap((tool) => tool.headers.map(({ name }) => `Mcp-Param-${name}`))
  return key === undefined ? named : [key, ...named]
}

function every(server: Server, milliseconds: number, run: () => void): () => void {
  let stop = server.platform.after(milliseconds, again)
  function again() {
    run()
    stop = server.platform.after(milliseconds, again)
  }
  return () => stop()
}

/** A stream on which something is still on its way is plainly alive. */
function keepAlive({ sinks }: HttpState): void {
  for (const sink of [...sinks]) if (sink.unread === 0) sink.write(KEEP_ALIVE)
}

function expire({ sessions, server, log }: HttpState): void {
  const now = server.platform.now()
  log.sweep()
  for (const session of [...sessions.values()]) session.expire(now)
}

/** Subscriptions end with a result, and nobody can be asked any more, since answers would be new requests. */
async function close(state: HttpState, late: AbortSignal): Promise<boolean> {
  const { sessions, pairs, links } = state
  state.closing = true
  state.server.end()
  const clients = [...sessions.values(), ...pairs.values()]
  for (const { link } of clients) link.hangUp()
  const finished = await quiet(state, late)
  if (!finished)
    for (const { link } of clients) link.log('error', 'The server stops with calls still under way')
  for (const session of [...sessions.values()]) session.end()
  for (const pair of [...pairs.values()]) pair.end()
  for (const link of [...links]) link.close()
  return finished
}

/** Resolves when no call is at work or listening any more, or when it is late. */
function quiet(state: HttpState, late: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    state.settled = () => {
      if (state.places.all.calls === 0) resolve(true)
    }
    state.settled()
    late.addEventListener('abort', () => resolve(false), { once: true })
  })
}
