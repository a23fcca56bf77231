import { networkInterfaces } from 'node:os'
import type { Server } from '../kernel/index.ts'
import { CONTENT_TYPE } from '../middleware/telemetry/sinks/content-type.ts'
import type { Prometheus } from '../middleware/telemetry/sinks/prometheus.ts'
import { endAll } from '../process/supervise.ts'
import type { ReadyServer } from '../servers/ready-server.ts'
import { checkCard } from '../transports/http/card/check-card.ts'
import { checkHostName, checkOriginName } from '../transports/http/guards/allowed-names.ts'
import { type HttpServer, type ListenOptions, listenOnNode } from '../transports/http/node/listen.ts'
import { authenticatorOf, isPlainKey } from './authenticator.ts'
import { type Config, readNumber } from './config.ts'

import { consoleOf } from './console.ts'
import type { Apprentice } from './dev/apprentice.ts'
import { frontOf } from './dev/front.ts'

import type { HttpPage } from './page.ts'
import { readyPages } from './ready-pages.ts'
import { UsageError } from './usage-error.ts'
import type { Door } from './welcome.ts'
import type { Membership } from './workers/worker.ts'

/** A process that serves beside others. */
export interface HttpWorker {
  readonly membership: Membership
  readonly port: number
}

interface RunHttpOptions {
  readonly config: Config
  readonly shutdownMs: number | undefined
  readonly metrics: Prometheus | undefined
  /** What this is among others on the same port, where there are others. */
  readonly worker: HttpWorker | undefined
  /** The way to whoever holds the port for us, where somebody does. */
  readonly apprentice?: Apprentice | undefined
}

/** Serves over HTTP until a signal, or a client that may, asks it to stop. */
export async function runHttp(
  ready: ReadyServer,
  server: Server,
  { config, shutdownMs, metrics, worker, apprentice }: RunHttpOptions,
): Promise<void> {
  const { settings, lists, switches } = config
  checkNames(config)
  await server.start() // Modules that are open have said which scopes there are.
  const authenticator = authenticatorOf(ready, server, config)
  const pages = ready.pages?.(switches) ?? {}
  const path = readPath('path', settings['path'])
  const host = readHost(settings['host'])
  const options: ListenOptions = {
    host,
    port: worker?.port ?? apprentice?.port ?? readNumber('port', settings['port'], 65_535),
    allowedHosts: lists['allow-host'] ?? [],
    allowedOrigins: lists['allow-origin'] ?? [],
    allowAnonymous: switches.has('allow-anonymous'),
    authenticator,
    ssePair: ready.http.alone !== true,
    sessionless: ready.http.sessionless === true ? 'served' : 'refused',
    path,
    base: settings['base'] === undefined ? '' : readPath('base', settings['base']),
    ...(ready.http.alone !== true && { health: '/healthz', readiness: '/readyz' }),
    ...(shutdownMs !== undefined && { supervise: { graceMs: shutdownMs } }),
    greeting: 'none', // The welcome says more.
    successor: apprentice !== undefined,
    pages: checkFree(path, { ...pagesOf(server, metrics, worker), ...readyPages(pages) }),
    console: consoleOf(ready, config),
    card: cardOf(ready, config),
  }
  const listening = await listenOnNode(server, options, frontOf(apprentice, host))
  server.exits.add(() => (worker === undefined ? void endAll() : worker.membership.end()))
  apprentice?.ready(server)
  const header = ready.http.keyHeader ?? 'Authorization'
  const variable = isPlainKey(ready, config) ? (ready.http.keyEnvironment ?? 'PERIGEE_API_KEY') : YOUR_KEY
  const key =
    authenticator === undefined || settings['issuer'] !== undefined ? undefined : { header, variable }
  process.stdout.on('error', () => {}) // Nobody has to read the welcome.
  if ((worker?.membership ?? apprentice)?.isFirst === false) return
  const { welcome } = await import('./welcome.ts')
  process.stdout.write(welcome(ready, server, { ...reachable(listening, Object.hasOwn(pages, '/')), key }))
}

/** Where keys have names, the server's own variable holds no one's alone. */
const YOUR_KEY = 'YOUR_KEY'

function pagesOf(server: Server, metrics: Prometheus | undefined, worker: HttpWorker | undefined) {
  if (metrics === undefined) return {}
  metrics.watch(server)
  if (worker === undefined) return { '/metrics': { access: 'anybody', answer: metrics.page } as const }
  const { membership } = worker
  membership.count = () => metrics.render()
  const answer: HttpPage = async (exchange) =>
    exchange.answer(200, { 'content-type': CONTENT_TYPE }, await membership.totals())
  return { '/metrics': { access: 'anybody', answer } as const }
}

/** Where people can reach it: an address that means all of them is none that they can type. */
function reachable(
  { url, port, console: shown }: HttpServer,
  hasPage: boolean,
): Pick<Door, 'urls' | 'console'> {
  const { hostname, pathname, origin } = new URL(url)
  const console = shown ?? (hasPage ? `${origin}/` : undefined)
  if (hostname !== '0.0.0.0' && hostname !== '[::]') return { urls: [url], console }
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
  const others = addresses.filter(({ internal, family }) => !internal && family === 'IPv4')
  const hosts = ['localhost', ...others.map(({ address }) => address)]
  return {
    urls: hosts.map((host) => `http://${host}:${port}${pathname}`),
    console: console?.replace(origin, `http://localhost:${port}`),
  }
}

/** The same that is checked of a program's options, in the words of flags. */
function checkNames({ lists }: Config): void {
  try {
    for (const host of lists['allow-host'] ?? []) checkHostName('allow-host', host)
    for (const origin of lists['allow-origin'] ?? []) checkOriginName('allow-origin', origin)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** Whether it can be found, and by what name; a server of which nothing else is there has no card, either. */
function cardOf({ http }: ReadyServer, { settings }: Config): ListenOptions['card'] {
  const { card, resource: url } = settings
  if (http.alone === true || card === 'off') return false
  const named = { ...(card !== undefined && { name: card }), ...(url !== undefined && { url }) }
  try {
    checkCard(named)
  } catch (error) {
    throw new UsageError(`${(error as Error).message}, or off`)
  }
  return named
}

/** An address or a name alone; what has more than one colon is of IPv6. */
function readHost(host = ''): string {
  if (!/\/|^[^:]*:\d*$/.test(host)) return host
  throw new UsageError(
    `host: expected an address such as 127.0.0.1, without a port (--port) or a scheme, got ${JSON.stringify(host)}`,
  )
}

/** What was typed is the path, and the pages are there because of other flags. */
function checkFree<Pages extends object>(path: string, pages: Pages): Pages {
  if (!Object.hasOwn(pages, path)) return pages
  throw new UsageError(`path: ${path} is where another page is served: take another, such as /mcp`)
}

/** As it stands in a request: from the first slash on, without a last one. */
function readPath(name: string, value = ''): string {
  if (/^(\/[\w.~%!$&'()*+,;=:@-]+)+$/.test(value)) return value
  throw new UsageError(`${name}: expected a path such as /mcp, got ${JSON.stringify(value)}`)
}
