import { checkServer, refuseLoading, type AuthorServer as Server, settle } from '../../kernel/index.ts'
import type { FetchHandler } from './fetch.ts'
import type { NodeHandler } from './node/handler.ts'
import type { HttpServer, ServeHttpOptions } from './node/listen.ts'
import { checkSecrets } from './nodes/check-secrets.ts'
import { DEFAULTS, type HttpOptions } from './settings.ts'

export type {
  Authenticate,
  Authenticator,
  Exchange,
  HttpMiddleware,
  HttpRequest,
  Page,
  Refusal,
} from './exchange.ts'
export type { FetchHandler } from './fetch.ts'
export { withHeaders } from './middleware.ts'
export type { NodeHandler } from './node/handler.ts'
export type { HttpServer, ServeHttpOptions } from './node/listen.ts'
export { refusal } from './refusal.ts'
export type { HttpOptions } from './settings.ts'

// Whoever serves on stdio does not wait for HTTP to load.

/**
 * Serves MCP over HTTP, on this machine alone unless told otherwise.
 * @example const { url, close } = await serveHttp(server, { port: 8181 })
 */
export function serveHttp(server: Server, options: ServeHttpOptions = {}): Promise<HttpServer> {
  refuseLoading('serveHttp') // Thrown at once, since whoever loads the file does not see its promises.
  return loadAndServe(server, options)
}

async function loadAndServe(server: Server, options: ServeHttpOptions): Promise<HttpServer> {
  checkServer('serveHttp', server)
  checkSecrets(server, options.store)
  const node = await import('./node/listen.ts')
  return node.listenOnNode(server, options)
}

/**
 * The same server for whatever speaks `Request` and `Response`: Bun, Deno, Workers, Hono.
 * @example export default { fetch: createFetchHandler(server) }
 */
export function createFetchHandler(server: Server, options: HttpOptions = {}): FetchHandler {
  checkServer('createFetchHandler', server)
  settle('createFetchHandler', { ...DEFAULTS, ...server.budgets }, options)
  checkSecrets(server, options.store)
  let loaded: Promise<FetchHandler> | undefined
  const handler = () => {
    loaded ??= import('./fetch.ts').then((fetch) => fetch.openFetchHandler(server, options))
    return loaded
  }
  const answer = async (request: Request) => (await handler())(request)
  return Object.assign(answer, { close: async (graceMs?: number) => (await handler()).close(graceMs) })
}

/**
 * The same server for programs that listen themselves, with `node:http`, Express or Fastify.
 * @example
 * import { createServer } from 'node:http'
 * createServer(createNodeHandler(server)).listen(8181, '127.0.0.1')
 */
export function createNodeHandler(server: Server, options: HttpOptions = {}): NodeHandler {
  checkServer('createNodeHandler', server)
  settle('createNodeHandler', { ...DEFAULTS, ...server.budgets }, options)
  checkSecrets(server, options.store)
  let loaded: Promise<NodeHandler> | undefined
  const handler = () => {
    loaded ??= import('./node/handler.ts').then((node) => node.openNodeHandler(server, options))
    return loaded
  }
  const answer: (...args: Parameters<NodeHandler>) => void = (...args) =>
    void handler().then((loadedOne) => loadedOne(...args))
  return Object.assign(answer, { close: async (graceMs?: number) => (await handler()).close(graceMs) })
}
