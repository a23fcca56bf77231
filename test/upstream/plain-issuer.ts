import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './gateway-of.ts'

type Told = { readonly [name: string]: unknown }

interface PlainIssuerOptions {
  /** What it tells of itself beside its endpoints; `undefined` where it tells nothing. */
  readonly metadata?: Told | undefined
  /** Where it tells that. */
  readonly at?: string
  /** What the server that one signs in to tells of itself. */
  readonly resource?: Told
  /** Where it begins an answer and never ends it, and who is told that it has begun. */
  readonly drips?: { readonly at: string; readonly begun: () => void }
  /** Whether whatever is not there is a page. */
  readonly hasPages?: boolean
  /** What it answers to a program that registers itself; a number is a status. */
  readonly registration?: Told | number
  /** What it grants beside a token. */
  readonly grant?: Told
  /** What it says instead to whoever asks for a token, by what was asked. */
  readonly refusal?: (form: URLSearchParams, authorization: string | undefined) => Told | undefined
  /** What it answers a program that has registered itself. */
  readonly registeredStatus?: number
}

export interface PlainIssuer {
  /** The server that one signs in to, on the same origin. */
  readonly url: string
  readonly origin: string
  readonly registered: readonly Told[]
  readonly authorized: readonly URLSearchParams[]
  readonly asked: readonly AskedForm[]
  readonly revoked: readonly AskedForm[]
}

interface AskedForm {
  readonly authorization: string | undefined
  readonly form: URLSearchParams
}

const METADATA = {
  authorization_endpoint: '/authorize',
  token_endpoint: '/token',
  registration_endpoint: '/register',
  revocation_endpoint: '/revoke',
}

/** An authorization server that says what it is told to, since a sound one does not say everything that is said. */
export async function startPlainIssuer(options: PlainIssuerOptions = {}): Promise<PlainIssuer> {
  const { registration = { client_id: 'registered' }, grant = {} } = options
  const metadata = 'metadata' in options ? options.metadata : {}
  const registered: Told[] = []
  const authorized: URLSearchParams[] = []
  const asked: AskedForm[] = []
  const revoked: AskedForm[] = []
  let origin = ''
  const ways: {
    readonly [path: string]: (request: IncomingMessage, url: URL) => Told | number | Promise<Told | number>
  } = {
    '/.well-known/oauth-protected-resource': () => {
      const { resource } = options
      return resource === undefined ? 404 : { resource: `${origin}/mcp`, ...resource }
    },
    [options.at ?? '/.well-known/oauth-authorization-server']: () => {
      const endpoints = Object.entries(METADATA).map(([name, path]) => [name, origin + path])
      const known = { issuer: origin, code_challenge_methods_supported: ['S256'] }
      return metadata === undefined ? 404 : { ...known, ...Object.fromEntries(endpoints), ...metadata }
    },
    '/mcp': () => 401,
    '/register': async (request) => {
      registered.push(JSON.parse(await text(request)))
      return registration
    },
    '/authorize': (_request, { searchParams }) => {
      authorized.push(searchParams)
      return { location: `${searchParams.get('redirect_uri')}?code=c&state=${searchParams.get('state')}` }
    },
    '/token': async (request) => {
      const one = await readForm(request)
      asked.push(one)
      const refused = options.refusal?.(one.form, one.authorization)
      return refused ?? { access_token: 'granted', token_type: 'Bearer', ...grant }
    },
    '/revoke': async (request) => {
      revoked.push(await readForm(request))
      return {}
    },
  }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const at = new URL(request.url ?? '', origin)
    if (at.pathname === options.drips?.at)
      return void response.writeHead(200).write('{', () => options.drips?.begun())
    const what = (await ways[at.pathname]?.(request, at)) ?? 404
    if (what === 404 && options.hasPages === true)
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Hello')
    const good = at.pathname === '/register' ? (options.registeredStatus ?? 201) : 200
    answer(response, what, typeof what === 'object' && 'error' in what ? 400 : good)
  }
  const url = await listen((request, response) => void serve(request, response))
  origin = new URL(url).origin
  return { url, origin, registered, authorized, asked, revoked }
}

async function readForm(request: IncomingMessage): Promise<AskedForm> {
  const { authorization } = request.headers
  return { authorization, form: new URLSearchParams(await text(request)) }
}

function answer(response: ServerResponse, what: Told | number, good: number): void {
  if (typeof what === 'number') return void response.writeHead(what).end()
  if (typeof what['location'] === 'string')
    return void response.writeHead(302, { location: what['location'] }).end()
  response.writeHead(good, { 'content-type': 'application/json' }).end(JSON.stringify(what))
}
