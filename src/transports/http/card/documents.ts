import { cut, isObject, type JsonObject, type Listener, once, REVISIONS } from '../../../kernel/index.ts'
import type { Exchange } from '../exchange.ts'
import { findForwarded } from '../guards/address.ts'
import type { HttpState } from '../state.ts'
import { cardPath, isCardName } from './options.ts'
import { hashPromised } from './promised.ts'

/** A document, and what it is sent as. */
interface CardDocument {
  readonly type: string
  readonly body: string
}

const CARD_TYPE = 'application/mcp-server-card+json'
const CATALOGUE_TYPE = 'application/ai-catalog+json'
const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'

/** A card's title and its description may have one more, which says that something was cut. */
const MAX_WORDS = 99

/** What a server says of itself; what it promises is looked at again when its lists have changed. */
export class CardDocuments {
  readonly #state: HttpState
  readonly #listener: Listener
  #promised: () => string | undefined

  constructor(state: HttpState) {
    this.#state = state
    const look = () => once(() => hashPromised(state))
    this.#promised = look()
    this.#listener = {
      tell: (change) => {
        if ('list' in change || 'anything' in change) this.#promised = look()
      },
      end: () => {},
    }
    state.server.listeners.add(this.#listener)
  }

  /** The card: who it is, where it is reached, in which revisions. */
  card(exchange: Exchange): CardDocument {
    const { info, revisions } = this.#state.server
    const { title, websiteUrl, icons, version } = info
    const hash = this.#promised()
    const remote = {
      type: 'streamable-http',
      url: urlOf(exchange, this.#state),
      ...proofOf(this.#state),
      supportedProtocolVersions: [...REVISIONS, ...revisions].map(({ id }) => id),
    }
    const card = {
      $schema: SCHEMA,
      name: nameOf(exchange, this.#state),
      version: cut(version, 254),
      description: cut(info.description ?? title ?? `The MCP server ${info.name}`, MAX_WORDS),
      ...(title !== undefined && { title: cut(title, MAX_WORDS) }),
      ...(websiteUrl !== undefined && { websiteUrl }),
      ...(icons !== undefined && { icons }),
      remotes: [remote],
      ...(hash !== undefined && { _meta: { 'perigee/lock': hash } }),
    }
    return { type: CARD_TYPE, body: JSON.stringify(card) }
  }

  /** What a domain offers: this server. */
  catalogue(exchange: Exchange): CardDocument {
    const [namespace = '', name = ''] = nameOf(exchange, this.#state).split('/')
    const entry = {
      identifier: `urn:air:${reversed(namespace)}:mcp:${name}`,
      type: CARD_TYPE,
      url: cardPath(urlOf(exchange, this.#state)),
    }
    return { type: CATALOGUE_TYPE, body: JSON.stringify({ specVersion: '1.0', entries: [entry] }) }
  }

  close(): void {
    this.#state.server.listeners.delete(this.#listener)
  }
}

/** What it was named; else its own name, after the domain by which it was asked. */
function nameOf(exchange: Exchange, { server, settings }: HttpState): string {
  const { card } = settings
  if (isObject(card) && typeof card['name'] === 'string') return card['name']
  const { name } = server.info
  if (isCardName(name)) return name
  const domain = hostOf(exchange).replace(/:\d+$/, '')
  const plain = (text: string) => text.replace(/[^\w.-]+/g, '-').slice(0, MAX_WORDS)
  return `${plain(reversed(domain)).replaceAll('_', '-')}/${plain(name)}`
}

/** `com.example` of `example.com`, and the other way round; addresses stay as they are. */
function reversed(domain: string): string {
  return /^[\d.]+$|[[\]:]/.test(domain) ? domain : domain.split('.').reverse().join('.')
}

/** The address that was said, or the one by which it was asked. */
function urlOf(exchange: Exchange, { settings }: HttpState): string {
  const { card, base, path } = settings
  if (isObject(card) && typeof card['url'] === 'string') return card['url']
  return `${schemeOf(exchange)}://${hostOf(exchange)}${base}${path}`
}

/** What a proxy says; one that does not ends TLS, or it would be of no use. */
function schemeOf(exchange: Exchange): string {
  const { 'x-forwarded-proto': plain = '', forwarded = '' } = exchange.headers
  const [, said] = /^(https?)\b/i.exec(plain) ?? /\bproto="?(https?)\b/i.exec(forwarded) ?? []
  if (said !== undefined) return said.toLowerCase()
  return exchange.secure || findForwarded(exchange) !== undefined ? 'https' : 'http'
}

function hostOf({ headers }: Exchange): string {
  return (headers['host'] as string).toLowerCase() // Whoever names none is refused before.
}

/** What a caller has to bring; those who take tokens of an issuer say so when they are called. */
function proofOf({ authenticator }: HttpState): JsonObject {
  if (authenticator === undefined || Object.keys(authenticator.documents).length > 0) return {}
  const { header: name } = authenticator
  const secret = { description: 'The key that its operator has given you', isRequired: true, isSecret: true }
  const bearer = { value: 'Bearer {key}', variables: { key: secret } }
  return { headers: [{ name, ...secret, ...(name.toLowerCase() === 'authorization' && bearer) }] }
}
