import type { Server } from '../../kernel/index.ts'
import type { HttpServer, ListenSettings } from './node.ts'

/** Serves MCP over HTTP, on this machine alone unless told otherwise. */
export async function serveHttp(server: Server, options: Partial<ListenSettings> = {}): Promise<HttpServer> {
  // Whoever serves on stdio does not wait for the HTTP server to load.
  const node = await import('./node.ts')
  return node.serveHttp(server, options)
}
