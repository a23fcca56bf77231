import type { Server } from '../kernel/index.ts'
import type { ReadyServer } from '../servers/ready-server.ts'
import { type HttpServer, serveHttp } from '../transports/http/node.ts'
import { authenticatorOf } from './authenticator.ts'
import { type Config, readNumber } from './config.ts'
import type { Page } from './page.ts'
import { welcome } from './welcome.ts'

interface HttpExtras {
  readonly shutdownMs: number
  readonly metrics: ((server: Server) => Page) | undefined
}

/** Serves over HTTP until a signal, or a client that may, asks it to stop. */
export async function runHttp(
  ready: ReadyServer,
  server: Server,
  config: Config,
  { shutdownMs, metrics }: HttpExtras,
): Promise<void> {
  const { settings, lists, switches } = config
  const authenticator = authenticatorOf(ready, server, config)
  const listening = await serveHttp(server, {
    host: settings['host'] ?? '',
    port: readNumber('port', settings['port'], 65_535),
    allowedHosts: lists['allow-host'] ?? [],
    allowedOrigins: lists['allow-origin'] ?? [],
    allowAnonymous: switches.has('allow-anonymous'),
    authenticator,
    ssePair: ready.http.alone !== true,
    sessionless: ready.http.sessionless === true ? 'served' : 'refused',
    pages: {
      ...(ready.http.alone !== true && { '/healthz': answerHealth }),
      ...(metrics && { '/metrics': metrics(server) }),
    },
  })
  const header = ready.http.keyHeader ?? 'Authorization'
  const variable = ready.http.keyEnvironment ?? 'PERIGEE_API_KEY'
  const key = authenticator === undefined ? undefined : { header, variable }
  process.stdout.write(welcome(ready, server, { url: listening.url, key }))
  endWhenAsked(server, listening, shutdownMs)
}

const answerHealth: Page = (exchange) =>
  exchange.answer(200, { 'content-type': 'application/json' }, '{"status":"ok"}')

function endWhenAsked(server: Server, listening: HttpServer, graceMs: number): void {
  let ending = false
  const end = async () => {
    if (ending) process.exit(1)
    ending = true
    const finished = await listening.close(graceMs)
    if (!finished) {
      const message = `Stopped with calls still under way after ${graceMs / 1000} s`
      server.observe({ kind: 'noted', level: 'error', message })
    }
    process.exit(finished ? 0 : 1)
  }
  server.exits.add(() => void end())
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end())
}
