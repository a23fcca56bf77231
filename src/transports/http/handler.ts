import { Fault, type Principal, type Server } from '../../kernel/index.ts'
import type { Traffic } from '../traffic.ts'
import { CLOSING, refusal, refusalOf, refuse } from './answers.ts'
import { checkCaller } from './auth/authenticator.ts'
import { type Exchange, type HttpHeaders, isRefusal, type Page, type Refusal } from './exchange.ts'
import { checkForwarded, checkHost, checkOrigin, isNamed } from './guards/address.ts'
import { answerPreflight, corsHeaders } from './guards/cors.ts'
import { addHeaders, forAuthor, wrapExchanges } from './middleware.ts'
import type { Presence } from './nodes/messages.ts'
import { pathsOf } from './paths.ts'
import { post } from './post.ts'
import { answerProbe, isProbe } from './probes.ts'
import { createRefusalHooks } from './refusal-hooks.ts'
import type { HttpSettings } from './settings.ts'
import { openPair, postToPair } from './shapes/sse-pair.ts'
import { closeSession, openStream } from './shapes/streamable.ts'
import { closeSite, createSite, type HttpSite, startSite, tend } from './site.ts'

/** Serves MCP over HTTP in every shape it has had, one exchange at a time. */
export interface HttpHandler {
  /** The bytes that are on their way, for whoever moves them. */
  readonly traffic: Traffic
  /** Whether there is anything at a path. */
  serves(path: string): boolean
  /** Has it start before the first request, which waits for that otherwise. */
  start(): Promise<void> | undefined
  handle(exchange: Exchange): void
  /** Whether a session is known here, in use or not. */
  hasSession(id: string): boolean
  /** Itself and those who share its store, where others can. */
  nodes(): readonly Presence[]
  /** Takes nothing new, answers what is under way until it is late, and ends the rest; tells whether all was answered. */
  close(late: AbortSignal): Promise<boolean>
}

type Endpoint = (state: HttpSite, exchange: Exchange, principal: Principal) => void

/** Methods by path. */
type Routes = ReadonlyMap<string, { readonly [method: string]: Endpoint }>

export function createHttpHandler(server: Server, settings: HttpSettings): HttpHandler {
  const state = createSite(server, settings)
  const routes = routesOf(settings)
  const hooks = createRefusalHooks(state)
  const stop = tend(state)
  const wrapped = wrapHandle(state, routes)
  const failed = (error: unknown) => server.observe({ kind: 'crashed', error, method: 'start' })
  const receive = (exchange: Exchange) => {
    try {
      if (wrapped === undefined) handle(state, routes, exchange)
      else wrapped(forAuthor(exchange))
    } catch (error) {
      fail(state, exchange, error)
    }
  }
  const receiveFirst = (exchange: Exchange) => {
    const starting = startSite(state)
    if (starting === undefined) return receive(exchange)
    if (isProbe(exchange, settings)) {
      starting.catch(failed)
      return receive(exchange)
    }
    starting
      .then(() => receive(exchange))
      .catch((error: unknown) => {
        failed(error)
        refuse(exchange, refusal(503, 'Service unavailable: the server does not start right now'))
      })
  }
  return {
    traffic: state.traffic,
    serves: (path) => routes.has(path) || servesBeside(state, path),
    start: () => startSite(state),
    ...shownOf(state),
    handle: (exchange) => {
      exchange.hooks = hooks
      ;(state.started ? receive : receiveFirst)(exchange)
    },
    close: (late) => {
      stop()
      return closeSite(state, late)
    },
  }
}

/** Whether something is there that is no MCP. */
function servesBeside({ settings, discovery }: HttpSite, path: string): boolean {
  return isProbe({ path }, settings) || Object.hasOwn(settings.pages, path) || discovery.serves(path)
}

/** What a console says of it. */
function shownOf({ sessions, rollCall }: HttpSite): Pick<HttpHandler, 'hasSession' | 'nodes'> {
  return { hasSession: (id) => sessions.has(id), nodes: () => rollCall.list() }
}

/** Undefined where no middleware goes round an exchange. */
function wrapHandle(state: HttpSite, routes: Routes): ((exchange: Exchange) => void) | undefined {
  const { middleware } = state.settings
  if (middleware.length === 0) return undefined
  return wrapExchanges(
    middleware,
    (exchange) => handle(state, routes, exchange),
    (exchange, error) => fail(state, exchange, error),
  )
}

function routesOf(settings: HttpSettings): Routes {
  const { base, path } = settings
  const [, stream, messages] = pathsOf(settings)
  const routes = new Map<string, { readonly [method: string]: Endpoint }>()
  routes.set(path, { POST: post, GET: openStream, DELETE: closeSession })
  if (stream !== undefined && messages !== undefined) {
    routes.set(stream, {
      GET: (state, exchange, principal) =>
        openPair(state, exchange, { principal, messages: `${base}${messages}` }),
    })
    routes.set(messages, { POST: postToPair })
  }
  return routes
}

/** The order in which a request is looked at: where to, from where, from whom, and only then what. */
function handle(state: HttpSite, routes: Routes, exchange: Exchange): void {
  const { settings } = state
  if (isProbe(exchange, settings)) return answerProbe(state, exchange)
  const isCard = exchange.path !== settings.path && state.discovery.serves(exchange.path)
  const refused = checkSender(exchange, settings, isCard)
  if (refused !== undefined) return refuse(exchange, refused)
  const cors = settings.allowedOrigins.length === 0 ? undefined : corsHeaders(exchange, settings)
  if (isCard) return showCard(state, exchange, cors)
  const asked = cors === undefined ? exchange : addHeaders(exchange, cors)
  const page = settings.pages[exchange.path]
  const route = routes.get(exchange.path)
  if (cors !== undefined && exchange.method === 'OPTIONS' && (page ?? route) !== undefined)
    return answerPreflight(exchange, cors, extraHeaders(state))
  if (page !== undefined) return showPage(state, asked, page)
  const document = state.authenticator?.documents[exchange.path]
  if (document !== undefined) return asked.answer(200, OPEN_JSON, document)
  if (route === undefined)
    return refuse(asked, refusal(404, `Not found: MCP is served at ${settings.base}${settings.path}`))
  const upgrade = exchange.headers['upgrade']?.toLowerCase() === 'websocket'
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

/** What is public by a name that was allowed may be read by pages of any origin. */
function checkSender(exchange: Exchange, settings: HttpSettings, isCard: boolean): Refusal | undefined {
  const fromAnywhere = isCard && isNamed(exchange, settings)
  return (
    checkHost(exchange, settings) ??
    (fromAnywhere ? undefined : checkOrigin(exchange, settings)) ??
    checkForwarded(exchange, settings)
  )
}

function showCard(state: HttpSite, exchange: Exchange, cors: HttpHeaders | undefined): void {
  state.discovery.answer(exchange, cors).catch((error: unknown) => fail(state, exchange, error))
}

/** Documents that must be readable without being known are so for pages of any origin. */
const OPEN_JSON = { 'content-type': 'application/json', 'access-control-allow-origin': '*' }

/** A page that is not for anybody is for those who may call. */
function showPage(state: HttpSite, exchange: Exchange, page: Page): void {
  const { answer, access } = typeof page === 'function' ? { answer: page, access: 'callers' } : page
  const show = (principal: Principal) => {
    try {
      const done = answer(forAuthor(exchange), principal)
      if (done instanceof Promise) done.catch((error: unknown) => fail(state, exchange, error))
    } catch (error) {
      fail(state, exchange, error)
    }
  }
  if (access === 'anybody') show(ANYBODY)
  else authenticate(state, exchange, show)
}

/** A mistake of ours, or of an authenticator or a page; its details stay on our side. */
function fail({ server }: HttpSite, exchange: Exchange, error: unknown): void {
  server.observe({ kind: 'crashed', error, method: `${exchange.method} ${exchange.path}` })
  refuse(exchange, refusalOf(500, new Fault('internalError')))
}

const ANYBODY: Principal = { id: 'anonymous', anonymous: true }

/** Goes on when it is known who calls. */
function authenticate(state: HttpSite, exchange: Exchange, go: (principal: Principal) => void): void {
  const { server, authenticator } = state
  if (authenticator === undefined) return go(ANYBODY)
  const settle = (found: unknown) => {
    const caller = checkCaller(found)
    if (isRefusal(caller)) refuse(exchange, caller)
    else go(caller)
  }
  const found = authenticator.authenticate(exchange)
  if (!(found instanceof Promise)) return settle(found)
  const cannotTell = (error: unknown) => {
    server.observe({ kind: 'crashed', error, method: 'authenticate' })
    refuse(exchange, refusal(503, 'Service unavailable: callers cannot be checked right now'))
  }
  found.then(settle, cannotTell).catch((error: unknown) => fail(state, exchange, error))
}

/** What a browser must be allowed to send beside the usual. */
function extraHeaders({ server, authenticator }: HttpSite): readonly string[] {
  const key = authenticator?.header
  const named = [...server.tools].flatMap((tool) => tool.headers.map(({ name }) => `Mcp-Param-${name}`))
  return key === undefined ? named : [key, ...named]
}
