import {
  callable,
  checkStore,
  expecting,
  listOf,
  type Members,
  membersOf,
  object,
  oneOf,
  type Server,
  text,
  texts,
} from '../../kernel/index.ts'
import { checkCard } from './card/check-card.ts'
import { checkHostName, checkOriginName } from './guards/allowed-names.ts'
import { checkSecrets } from './nodes/check-secrets.ts'
import { pathsOf } from './paths.ts'
import type { HttpSettings } from './settings.ts'

/** Throws a TypeError that says what is wrong with how a server is to be served: before anybody calls, who would find out. */
export function checkSettings(caller: string, server: Server, settings: HttpSettings): void {
  const { allowedHosts, allowedOrigins, authenticator, store, card } = settings
  for (const [name, check] of Object.entries(CHECKS))
    if (settings[name as keyof typeof CHECKS] !== undefined)
      check(settings[name as keyof typeof CHECKS], `${caller}: ${name}`)
  texts(allowedHosts, 'allowedHosts')
  texts(allowedOrigins, 'allowedOrigins')
  for (const host of allowedHosts) checkHostName('allowedHosts', host)
  for (const origin of allowedOrigins) checkOriginName('allowedOrigins', origin)
  listOf(callable)(settings.middleware, 'middleware')
  if (authenticator !== undefined && typeof authenticator !== 'function')
    checkAuthenticator(authenticator, 'authenticator')
  checkCard(card)
  checkPath(settings)
  checkPages(settings)
  if (store !== undefined) checkStore(store, `${caller}: store`)
  checkSecrets(server, store)
}

const PATH = /^(\/[\w.~%!$&'()*+,;=:@-]+)+\/?$/
const isPath = (value: unknown) => typeof value === 'string' && PATH.test(value)
const place = (such: string) => expecting(`a path such as ${such}`, (value) => value === '/' || isPath(value))

/** The longest that a timer can wait. */
const LONGEST_MS = 2 ** 31 - 1
const span = expecting(
  `a number of milliseconds above 0, up to ${LONGEST_MS}`,
  (value) => typeof value === 'number' && value > 0 && value <= LONGEST_MS,
)

const CHECKS = {
  path: place('/mcp'),
  base: expecting('a path such as /tools', (value) => value === '' || isPath(value)),
  health: place('/healthz'),
  readiness: place('/readyz'),
  sessionless: oneOf('refused', 'served'),
  sessionIdleMs: expecting(
    'a number of milliseconds above 0',
    (value) => typeof value === 'number' && value > 0,
  ),
  keepAliveMs: span,
} satisfies Partial<Members<HttpSettings>>

const checkAuthenticator = membersOf(
  { authenticate: callable, challenge: callable, header: text, documents: object },
  { needed: ['authenticate'] },
)

/** What is asked for at a path that is taken would never reach MCP. */
function checkPath(settings: HttpSettings): void {
  const { path, health, readiness } = settings
  const [, ...pair] = pathsOf(settings)
  const taken = new Map([
    [health, 'is where it says that it is well'],
    [readiness, 'is where it says whether it is ready'],
    ...pair.map((one) => [one, 'is where the SSE pair of 2024 is served, beside MCP'] as const),
  ])
  const what = path.startsWith('/.well-known/') ? 'is where a server is found' : taken.get(path)
  if (what !== undefined) throw new TypeError(`path: ${path} ${what}: take another, such as /mcp`)
}

function checkPages({ pages, ...settings }: HttpSettings): void {
  const taken = pathsOf(settings)
  for (const [at, page] of Object.entries(pages)) {
    if (!at.startsWith('/')) throw new TypeError(`pages: expected a path such as /${at}, got ${at}`)
    if (taken.includes(at)) throw new TypeError(`pages: ${at} is where MCP is served`)
    if (typeof page !== 'function') checkPage(page, `pages: ${at}`)
  }
}

const checkPage = membersOf(
  { access: oneOf('anybody', 'callers'), answer: callable },
  { needed: ['access', 'answer'] },
)
