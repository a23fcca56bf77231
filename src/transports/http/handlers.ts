import { checkServer, type AuthorServer as Server, settle } from '../../kernel/index.ts'
import { checkSettings } from './check-settings.ts'
import type { FetchHandler } from './fetch.ts'
import type { NodeHandler } from './node/handler.ts'
import { DEFAULTS, type HttpOptions } from './settings.ts'

/**
 * The same server for whatever speaks `Request` and `Response`: Bun, Deno, Workers, Hono.
 * @example export default { fetch: createFetchHandler(server) }
 */
export function createFetchHandler(server: Server, options: HttpOptions = {}): FetchHandler {
  checkServer('createFetchHandler', server)
  checkSettings(
    'createFetchHandler',
    server,
    settle('createFetchHandler', { ...DEFAULTS, ...server.budgets }, options),
  )
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
  checkSettings(
    'createNodeHandler',
    server,
    settle('createNodeHandler', { ...DEFAULTS, ...server.budgets }, options),
  )
  let loaded: Promise<NodeHandler> | undefined
  const handler = () => {
    loaded ??= import('./node/handler.ts').then((node) => node.openNodeHandler(server, options))
    return loaded
  }
  const answer: (...args: Parameters<NodeHandler>) => void = (...args) =>
    void handler().then((loadedOne) => loadedOne(...args))
  return Object.assign(answer, { close: async (graceMs?: number) => (await handler()).close(graceMs) })
}
