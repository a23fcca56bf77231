import { checkServer, refuseLoading, type AuthorServer as Server } from '../../kernel/index.ts'
import type { HttpServer, ServeHttpOptions } from './node/listen.ts'

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
export { createFetchHandler, createNodeHandler } from './handlers.ts'
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
  const node = await import('./node/listen.ts')
  return node.listenOnNode(server, options)
}
