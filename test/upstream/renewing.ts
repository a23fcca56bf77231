import { mkdirSync, utimesSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { JsonObject } from '../../src/kernel/index.ts'
import { listen } from './gateway-of.ts'
import { tokens } from './signing-in.ts'

/** What a server says that has one tool, `write`. */
export const RESULTS: { readonly [method: string]: JsonObject } = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'files', version: '1' },
  },
  'tools/list': { tools: [{ name: 'write', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'written' }] },
}

/** Another kind than JSON is a page; a number is a status. */
type Answer = JsonObject | string | number

interface RenewingOptions {
  /** Whether a token is taken. */
  readonly takes: (access: string) => boolean
  /** What is given to somebody who asks for a token. */
  readonly give: (form: URLSearchParams) => Answer | Promise<Answer>
}

export interface RenewingServer {
  readonly url: string
  /** Who has asked for a token. */
  readonly asked: readonly URLSearchParams[]
}

/** A server that takes the tokens that it gives at `/mcp/token`, where it tells of that. */
export async function renewingServer({ takes, give }: RenewingOptions): Promise<RenewingServer> {
  const asked: URLSearchParams[] = []
  let url = ''
  const ways: { readonly [path: string]: (request: IncomingMessage) => Answer | Promise<Answer> } = {
    '/.well-known/oauth-authorization-server': () => ({
      issuer: new URL(url).origin,
      token_endpoint: `${url}/token`,
      grant_types_supported: ['client_credentials', 'refresh_token'],
    }),
    '/mcp/token': async (request) => {
      const form = new URLSearchParams(await text(request))
      asked.push(form)
      return give(form)
    },
    '/mcp': async (request) => {
      if (request.method !== 'POST') return 405
      const { id, method } = JSON.parse(await text(request))
      if (!takes((request.headers.authorization ?? '').replace('Bearer ', ''))) return 401
      return id === undefined ? 202 : { jsonrpc: '2.0', id, result: RESULTS[method] ?? {} }
    },
  }
  const serve = async (request: IncomingMessage, response: ServerResponse) =>
    send(response, (await ways[request.url ?? '']?.(request)) ?? 404)
  url = await listen((request, response) => void serve(request, response))
  return { url, asked }
}

function send(response: ServerResponse, answer: Answer): void {
  if (typeof answer === 'number') return void response.writeHead(answer).end()
  if (typeof answer === 'string')
    return void response.writeHead(503, { 'content-type': 'text/html' }).end(answer)
  const status = typeof answer['error'] === 'string' ? 400 : 200
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
}

export const entry = (url: string) => ({ url, tokens: tokens(), revision: '2025-11-25' })

export const granted = (access: string, more: JsonObject = {}) => ({
  access_token: access,
  token_type: 'Bearer',
  ...more,
})

/** An answer that comes when it is let go. */
export function heldBack(): { readonly answer: Promise<Answer>; readonly release: (answer: Answer) => void } {
  let release: (answer: Answer) => void = () => {}
  const answer = new Promise<Answer>((resolve) => {
    release = resolve
  })
  return { answer, release }
}

/** Has nobody write tokens, since something stands where their lock would. */
export function blockTokens(): void {
  mkdirSync(`${tokens()}.lock`)
  const time = Date.now() / 1000 - 3600
  utimesSync(`${tokens()}.lock`, time, time)
}
