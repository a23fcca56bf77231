import { once } from 'node:events'
import { createServer as createNodeServer, type Server as NodeServer } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { type Server, settle } from '../../../kernel/index.ts'
import { greetAt } from '../../../process/greet.ts'
import { supervise } from '../../../process/supervise.ts'
import { refusal, refuse } from '../answers.ts'
import type { ServeConsoleOptions, ServedConsole } from '../console/index.ts'
import { isLoopback } from '../guards/address.ts'
import { createHttpHandler, type HttpHandler } from '../handler.ts'
import { DEFAULTS, GRACE_MS, type HttpOptions, type Succession } from '../settings.ts'
import { checkListening } from './check-listening.ts'
import { takeErrors } from './client-errors.ts'
import { Connections } from './connections.ts'
import { printRefusal, sendFinal } from './final-answer.ts'

/** How MCP is served over HTTP by a server that listens on an address. */
export interface ServeHttpOptions extends HttpOptions {
  readonly host?: string
  readonly port?: number
  /** How long a client may take to send a request, or to take any part of its answer. */
  readonly requestMs?: number
  /**
   * Whether the process is kept for the server: stray errors are told and do not end it, SIGTERM and SIGINT end it
   * when what is under way is answered, for this long at most. A program that listens for a signal itself is left
   * to do as it likes; `false` leaves the process alone.
   */
  readonly supervise?: { readonly graceMs: number } | false | undefined
  /** Whether somebody who starts it by hand, in a terminal, is told where it listens and how to plug it in. */
  readonly greeting?: 'on-a-terminal' | 'none'
  /**
   * Whether a page beside MCP shows every message of every conversation, and calls what the server offers: for this
   * machine, and whoever has its key. It stands in `console` of what `serveHttp` gives, and is off unless said.
   */
  readonly console?: boolean | ServeConsoleOptions | undefined
}

export type ListenSettings = Required<ServeHttpOptions> & Succession

/** The same, and how it takes over from another. */
export interface ListenOptions extends ServeHttpOptions, Partial<Succession> {}

/** Another process that listens on the address for us, and hands on what it takes, with where that came from. */
export interface Front {
  /** The socket by which it does. */
  readonly socket: string
  /** What clients may call it in a Host header. */
  readonly hosts: readonly string[]
}

const LISTEN_DEFAULTS = {
  ...DEFAULTS,
  host: '127.0.0.1',
  port: 0,
  requestMs: 30_000,
  allowAnonymous: false,
  supervise: undefined,
  greeting: 'on-a-terminal' as const,
  console: undefined,
}

const SUPERVISED = { graceMs: GRACE_MS }

/** A server that listens. */
export interface HttpServer {
  readonly url: string
  readonly port: number
  /** The address of its console, with the key that opens it, where there is one. */
  readonly console: string | undefined
  /** Answers what is under way, for this long at most, and closes; tells whether all of it was answered; whoever takes nothing of its answer is not waited for. */
  close(graceMs?: number): Promise<boolean>
}

/** Serves MCP over HTTP, on this machine alone unless told otherwise. */
export async function listenOnNode(
  server: Server,
  options: ListenOptions = {},
  front?: Front,
): Promise<HttpServer> {
  const settings = settle<ListenSettings>('serveHttp', { ...LISTEN_DEFAULTS, ...server.budgets }, options)
  const { requestMs } = settings
  checkListening(server, settings)
  refuseOpenDoor(settings)
  await server.start()
  const shown = await loadConsole(server, settings, () => handler)
  const node = createListener(requestMs)
  const unserve = server.serve(() => close())
  await listen(node, settings, front?.socket).catch(async (error: unknown) => {
    shown?.console.close()
    await unserve()
    throw error
  })
  const handler = createHttpHandler(server, shown?.settings ?? settings)
  const connections = new Connections({
    ...settings,
    traffic: handler.traffic,
    failed: (error) => server.observe({ kind: 'crashed', error, method: 'answer' }),
    patienceMs: requestMs,
    hosts: front?.hosts,
  })
  const unwatch = connections.watchedBy(server.usage)
  node.maxConnections = settings.maxConnections
  takeRequests(node, connections, handler)
  takeErrors(node, connections, server)
  const port = front === undefined ? (node.address() as AddressInfo).port : settings.port // A number, unless on a socket.
  const end = async (graceMs: number) => {
    shown?.console.close()
    const answered = await finish({ node, connections, handler }, graceMs)
    unwatch()
    release()
    await unserve()
    return answered
  }
  let ended: Promise<boolean> | undefined
  const close = (graceMs = GRACE_MS) => (ended ??= end(graceMs))
  const { supervise: keeping = SUPERVISED } = settings
  const release = keeping === false ? () => {} : supervise({ server, close, ...keeping })
  await startOr(handler, () => close(0))
  return { ...greetFrom(server, settings, { port, console: shown?.address }), port, close }
}

interface OpenPort {
  readonly node: NodeServer
  readonly connections: Connections
  readonly handler: HttpHandler
}

/** Takes nothing new, answers what is under way, and lets go of the port. */
async function finish({ node, connections, handler }: OpenPort, graceMs: number): Promise<boolean> {
  const late = AbortSignal.timeout(graceMs)
  NetServer.prototype.close.call(node) // Node's own HTTP close cuts off answers that are still being sent.
  await connections.begun(graceMs)
  connections.closing()
  const finished = await handler.close(late)
  const sent = await connections.sent(late)
  node.closeAllConnections()
  node.close()
  return finished && sent
}

/** Nothing of the console is loaded where there is none. */
async function loadConsole(
  server: Server,
  settings: ListenSettings,
  handler: () => HttpHandler,
): Promise<ServedConsole | undefined> {
  const { console } = settings
  if (console === undefined || console === false) return undefined
  const { openConsole } = await import('../console/index.ts')
  return openConsole(server, { ...settings, console }, handler)
}

interface FoundAt {
  readonly port: number
  /** Where its console is, from the path on. */
  readonly console: string | undefined
}

/** The addresses it is found at, which whoever has started it by hand is told. */
function greetFrom(
  { info }: Server,
  settings: ListenSettings,
  { port, console: shown }: FoundAt,
): Pick<HttpServer, 'url' | 'console'> {
  const { host, path, greeting } = settings
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const url = `${origin}${path}`
  const console = shown === undefined ? undefined : `${origin}${shown}`
  if (greeting === 'on-a-terminal') greetAt(info.name, { url, console, header: headerOf(settings) })
  return { url, console }
}

/** Nobody is told that it listens before it can serve. */
async function startOr(handler: HttpHandler, giveUp: () => Promise<unknown>): Promise<void> {
  try {
    await handler.start()
  } catch (error) {
    await giveUp()
    throw error
  }
}

function createListener(requestMs: number): NodeServer {
  return createNodeServer({
    requestTimeout: requestMs,
    headersTimeout: Math.min(requestMs, 10_000),
    connectionsCheckingInterval: Math.min(requestMs, 1_000),
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16 * 1024,
    requireHostHeader: false, // Our own refusal has a JSON-RPC body.
  })
}

function takeRequests(node: NodeServer, connections: Connections, { handle }: HttpHandler): void {
  node.on('connection', (socket) => connections.of(socket))
  node.on('request', (message, response) => connections.receive({ message, response }, handle))
  node.on('checkContinue', (message, response) =>
    connections.receive({ message, response, expects: true }, handle),
  )
  node.on('checkExpectation', (message, response) =>
    connections.receive({ message, response }, (exchange) => refuse(exchange, UNEXPECTED)),
  )
  node.on('connect', (_request, socket: Socket) => sendFinal(socket, printRefusal(NO_TUNNEL)))
}

/** What carries the proof of who is calling, where any is wanted. */
function headerOf({ authenticator }: ListenSettings): string | undefined {
  return typeof authenticator === 'function' ? 'Authorization' : authenticator?.header
}

function refuseOpenDoor({ host, authenticator, allowAnonymous }: ListenSettings): void {
  if (isLoopback(host) || authenticator !== undefined || allowAnonymous) return
  throw new Error(
    `host: ${host} can be reached from other machines; set up keys or tokens first, or allow anonymous callers explicitly (allowAnonymous, --allow-anonymous)`,
  )
}

/** Listens on an address, or on a socket instead. */
export async function listen(
  node: NodeServer,
  { host, port }: Pick<ListenSettings, 'host' | 'port'>,
  socket?: string,
): Promise<void> {
  try {
    if (socket === undefined) node.listen(port, host)
    else node.listen(socket)
    await once(node, 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException // Whatever listen fails with says so.
    const taken = `port: ${port} is in use already on ${host}: take another, or 0 for any that is free`
    if (code === 'EADDRINUSE') throw new Error(taken, { cause: error })
    throw new Error(`host: cannot listen on ${host}, port ${port}: ${message}`, { cause: error })
  }
}

const ALLOW = { allow: 'POST, GET, DELETE' }
const NO_TUNNEL = refusal(405, 'Method not allowed: expected POST, GET, DELETE', ALLOW)
const UNEXPECTED = refusal(417, 'Expectation failed: expected 100-continue')
