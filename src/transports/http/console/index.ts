import type { Console } from '../../../console/console.ts'
import { watchServer } from '../../../console/watch-server.ts'
import { flag, membersOf, REVISIONS, type Server, text } from '../../../kernel/index.ts'
import { apiKeys } from '../auth/api-keys.ts'
import type { Exchange, HttpMiddleware } from '../exchange.ts'
import { isLoopback } from '../guards/address.ts'
import type { HttpHandler } from '../handler.ts'
import type { HttpSettings } from '../settings.ts'
import { checkKey, createKey } from './access.ts'
import { consolePages, DOOR } from './pages.ts'

/** How a server's console is served. */
export interface ServeConsoleOptions {
  /** What opens it, instead of one that is made up at each start: at least 22 letters and digits, made at random. */
  readonly key?: string | undefined
  /** Whether others than this machine may reach it. */
  readonly fromNetwork?: boolean
  /** Whether MCP is for those who have the console's key, and nobody else. */
  readonly opensMcp?: boolean
}

interface ListenedTo extends HttpSettings {
  readonly host: string
  readonly console: true | ServeConsoleOptions
}

/** A console that is served beside MCP. */
export interface ServedConsole {
  readonly console: Console
  /** What its page is opened with, from the path on. */
  readonly address: string
  /** The settings, with the console's pages among them. */
  readonly settings: HttpSettings
}

/** A console for a server that is about to listen; whoever handles its requests is there by the time it is looked at. */
export function openConsole(server: Server, settings: ListenedTo, handler: () => HttpHandler): ServedConsole {
  const { key = createKey(), fromNetwork = false, opensMcp = false } = check(settings)
  const { path, base, pages, middleware } = settings
  const console = watchServer(server, {
    hello: () => ({ ...describe(server, settings), opensMcp }),
    hasSession: (id) => handler().hasSession(id),
    nodes: () =>
      handler()
        .nodes()
        .map((node, at) => ({ ...node, self: at === 0 })),
  })
  const own = consolePages({
    console,
    key,
    fromNetwork,
    base,
    name: server.info.name,
    upstreams: server.relaying.upstreams,
  })
  const doors = ['/', path].filter((one) => !Object.hasOwn(pages, one))
  return {
    console,
    address: `/console#${key}`,
    settings: {
      ...settings,
      ...(opensMcp && { authenticator: apiKeys({ keys: [{ name: 'console', key }] }) }),
      pages: { ...pages, ...own },
      middleware: [...middleware, leadBrowsers(doors)],
    },
  }
}

function check({ console, host, path, authenticator, pages }: ListenedTo): ServeConsoleOptions {
  const options = console === true ? {} : console
  checkOptions(options, 'serveHttp: console')
  if (options.key !== undefined) checkKey(options.key)
  if (options.opensMcp === true && authenticator !== undefined)
    throw new TypeError(
      'serveHttp: console: opensMcp: there is an authenticator already that says who may call',
    )
  if (isOwn(path))
    throw new TypeError(`path: ${path} is where the console is served: take another, such as /mcp`)
  const taken = Object.keys(pages).find(isOwn)
  if (taken !== undefined) throw new TypeError(`pages: ${taken} is where the console is served`)
  if (options.fromNetwork === true || isLoopback(host)) return options
  throw new Error(
    `console: ${host} can be reached from other machines, and whoever sees the console sees every message; leave it out, listen on 127.0.0.1, or let others see it explicitly (--console-from-network, console: { fromNetwork: true })`,
  )
}

const isOwn = (path: string) => /^\/console(\/|$)/.test(path)

const checkOptions = membersOf({ key: text, fromNetwork: flag, opensMcp: flag })

/** A person who opens the server itself, and not its console, is led there; clients of MCP never ask for HTML. */
function leadBrowsers(doors: readonly string[]): HttpMiddleware {
  return (exchange, next) =>
    next(isBrowser(exchange) && doors.includes(exchange.path) ? toDoor(exchange) : exchange)
}

function isBrowser({ method, headers }: Exchange): boolean {
  return method === 'GET' && /\btext\/html\b/i.test(headers['accept'] ?? '')
}

/** It goes the way of all requests, past the same guards. */
function toDoor(exchange: Exchange): Exchange {
  return { ...exchange, path: DOOR }
}

function describe({ info, revisions }: Server, { path, ssePair, authenticator }: HttpSettings) {
  const { name, title, version, description } = info
  return {
    server: {
      name,
      version,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
    },
    endpoint: `.${path}`,
    sse: ssePair ? `.${path.replace(/\/[^/]*$/, '')}/sse` : null,
    revisions: [...REVISIONS, ...revisions].map(({ id }) => id),
    keyNeeded: authenticator !== undefined,
    panels: [],
  }
}
