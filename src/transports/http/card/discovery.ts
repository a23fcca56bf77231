import { isObject } from '../../../kernel/index.ts'
import { refusal, refuse } from '../answers.ts'
import type { Exchange, HttpHeaders } from '../exchange.ts'
import { FORWARDED, isNamed } from '../guards/address.ts'
import type { HttpState } from '../state.ts'
import type { CardDocuments } from './documents.ts'
import { cardPath } from './options.ts'

/** What stands for a whole domain, and lists one server here. */
const CATALOGUE = '/.well-known/ai-catalog.json'

/** The documents by which a server is found: nothing of them is made, or even loaded, before somebody asks. */
export class Discovery {
  readonly #state: HttpState
  #documents: Promise<CardDocuments> | undefined

  constructor(state: HttpState) {
    this.#state = state
  }

  /** Whether one of them is there; a page of an author's own comes first. */
  serves(path: string): boolean {
    const { card, path: mcp, pages } = this.#state.settings
    if (card === false || (path !== CATALOGUE && path !== cardPath(mcp))) return false
    return !Object.hasOwn(pages, path)
  }

  /** Answers for anybody: without a key, since whoever has to bring one reads here which. */
  async answer(exchange: Exchange, cors: HttpHeaders | undefined): Promise<void> {
    const { method, path } = exchange
    const isPublic = isNamed(exchange, this.#state.settings)
    const sharing = isPublic
      ? { ...SHARED, 'access-control-allow-origin': '*' }
      : cors && { ...cors, ...SHARED }
    if (method === 'OPTIONS') return exchange.answer(204, { ...sharing, allow: ALLOW })
    if (method !== 'GET' && method !== 'HEAD') return refuse(exchange, NOT_ALLOWED)
    this.#documents ??= import('./documents.ts').then((loaded) => new loaded.CardDocuments(this.#state))
    const documents = await this.#documents
    const { type, body } = path === CATALOGUE ? documents.catalogue(exchange) : documents.card(exchange)
    const etag = await tagOf(body)
    const kept = { 'cache-control': isPublic ? 'public, max-age=3600' : 'no-cache', etag }
    const headers = { ...kept, ...sharing, ...this.#vary(isPublic) }
    if (isSame(exchange.headers['if-none-match'], etag)) return exchange.answer(304, headers)
    exchange.answer(200, { 'content-type': type, ...headers }, body)
  }

  /** What an answer depends on beside its address: what proxies say, and the page that asks where not every one may. */
  #vary(isPublic: boolean): HttpHeaders {
    const { card } = this.#state.settings
    const isSaid = isObject(card) && card['url'] !== undefined
    const names = [...(isPublic ? [] : ['origin']), ...(isSaid ? [] : FORWARDED)]
    return names.length === 0 ? {} : { vary: names.join(', ') }
  }

  close(): void {
    this.#documents?.then((documents) => documents.close()).catch(() => {}) // Whoever asked has heard why there are none.
  }
}

const ALLOW = 'GET, HEAD, OPTIONS'
const NOT_ALLOWED = refusal(405, 'Method not allowed: expected GET, HEAD', { allow: ALLOW })

/** What pages of other origins may do, of those that may read it at all. */
const SHARED: HttpHeaders = {
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': 'Content-Type, If-None-Match',
  'access-control-expose-headers': 'ETag',
}

/** Of its own bytes, so that it is the same on every node; WebCrypto is wherever HTTP is served. */
async function tagOf(body: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body))
  return `"${btoa(String.fromCharCode(...new Uint8Array(digest)))}"`
}

/** Whether a client has what it would be sent; a proxy may have called it weak (RFC 9110, 13.1.2). */
function isSame(asked: string | undefined, etag: string): boolean {
  const tags = (asked ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
