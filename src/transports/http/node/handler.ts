import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Server, settle } from '../../../kernel/index.ts'
import { createHttpHandler } from '../handler.ts'
import { DEFAULTS, GRACE_MS, type HttpOptions, type HttpSettings } from '../settings.ts'
import { Connections } from './connections.ts'

/** Takes what `node:http` hands out, and what is built on it: Express, Fastify, Nest. */
export interface NodeHandler {
  /** The third is the body, where somebody has read it already; what Express gives as `next` is not called. */
  (request: IncomingMessage, response: ServerResponse, body?: unknown): void
  /** Answers what is under way, for this long at most, and ends the rest; tells whether all of it was answered. */
  close(graceMs?: number): Promise<boolean>
}

/** How long a client may take to take any part of its answer. */
const PATIENCE_MS = 30_000

/** The same server for programs that listen themselves. */
export function openNodeHandler(server: Server, options: HttpOptions = {}): NodeHandler {
  const settings: HttpSettings = settle('createNodeHandler', { ...DEFAULTS, ...server.budgets }, options)
  const handler = createHttpHandler(server, settings)
  const connections = new Connections({
    ...server.budgets,
    ...settings,
    traffic: handler.traffic,
    failed: (error) => server.observe({ kind: 'crashed', error, method: 'answer' }),
    patienceMs: PATIENCE_MS,
  })
  const unwatch = connections.watchedBy(server.usage)
  const answer = (request: IncomingMessage, response: ServerResponse, body?: unknown) => {
    const url = urlOf(request, handler.serves)
    connections.receive({ message: request, response, url, body: bodyOf(request, body) }, handler.handle)
  }
  const close = async (graceMs = GRACE_MS) => {
    const late = AbortSignal.timeout(graceMs)
    await connections.taken(graceMs)
    connections.closing()
    const finished = await handler.close(late)
    const sent = await connections.sent(late)
    unwatch()
    await unserve()
    return sent && finished
  }
  const unserve = server.serve(() => close())
  return Object.assign(answer, { close })
}

type Routed = IncomingMessage & { readonly originalUrl?: string }

/** Express takes what a router is mounted at off the front; what is left is meant, if there is anything there. */
function urlOf({ url = '/', originalUrl }: Routed, serves: (path: string) => boolean): string {
  return originalUrl === undefined || serves(url.replace(/\?.*$/s, '')) ? url : originalUrl
}

/** Frameworks that parse bodies leave what they made of it in `body`, and nothing to be read. */
function bodyOf(request: IncomingMessage & { readonly body?: unknown }, given: unknown): unknown {
  return given === undefined || typeof given === 'function' ? request.body : given
}
