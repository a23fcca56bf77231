import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './gateway-of.ts'

type Known = { readonly [name: string]: unknown }

/** Speaks a revision over HTTP without sessions, and tells nobody that its lists have changed unless it is to. */
export interface SilentUpstream {
  readonly url: string
  /** What stands on its list of tools: their descriptions, by their names. */
  tools: { readonly [name: string]: string }
  /** What is said beside each list. */
  beside: Known
  /** The methods that it has been asked for. */
  readonly asked: string[]
  /** What answers a call, where that is not the name of the tool. */
  call: (params: Known) => Known
}

const INFO = { name: 'silent', version: '1' }

export async function silentUpstream(
  revision: '2025-11-25' | '2026-07-28',
  { tells = false, before = async () => {} } = {},
): Promise<SilentUpstream> {
  const capabilities = { tools: tells ? { listChanged: true } : {} }
  const upstream: SilentUpstream = {
    url: await listen((request, response) => {
      if (request.method === 'GET') return stream(response, tells && revision === '2025-11-25')
      void answer(request, response)
    }),
    tools: {},
    beside: {},
    asked: [],
    call: ({ name }) => ({ content: [{ type: 'text', text: `${name} here` }] }),
  }
  const methods: { readonly [method: string]: (params: Known) => Known } = {
    ...(revision === '2025-11-25'
      ? { initialize: () => ({ protocolVersion: revision, capabilities, serverInfo: INFO }) }
      : { 'server/discover': () => ({ supportedVersions: [revision], capabilities }) }),
    'tools/list': () => ({ tools: listed(upstream.tools), ...upstream.beside }),
    'tools/call': (params) => upstream.call(params),
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { id, method, params } = JSON.parse(await text(request))
    if (id === undefined) return void response.writeHead(202).end()
    upstream.asked.push(method)
    if (method === 'subscriptions/listen' && tells) return acknowledge(response, id)
    if (method === 'tools/call') await before()
    const run = methods[method]
    const result = run && { resultType: 'complete', ...run(params) }
    const body = result === undefined ? { error: { code: -32601, message: 'No' } } : outcome(result)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }))
  }
  return upstream
}

const outcome = (result: Known) => ('code' in result ? { error: result } : { result })

const listed = (tools: SilentUpstream['tools']) =>
  Object.entries(tools).map(([name, description]) => ({ name, description, inputSchema: { type: 'object' } }))

function stream(response: ServerResponse, isThere: boolean): void {
  response.writeHead(isThere ? 200 : 405, { 'content-type': 'text/event-stream' })
  if (isThere) response.flushHeaders()
  else response.end()
}

function acknowledge(response: ServerResponse, id: unknown): void {
  const told = {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: {
      _meta: { 'io.modelcontextprotocol/subscriptionId': id },
      notifications: { toolsListChanged: true },
    },
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(`data: ${JSON.stringify(told)}\n\n`)
}
