import { describe } from '../../kernel/index.ts'
import type { Exchange, HttpHeaders, HttpMiddleware } from './exchange.ts'

type Serve = (exchange: Exchange) => void

/** Wraps once, when the handler is made; the first one listed is the outermost. What fails later is told to `failed`. */
export function wrapExchanges(
  middleware: readonly HttpMiddleware[],
  serve: Serve,
  failed: (exchange: Exchange, error: unknown) => void,
): Serve {
  return middleware.reduceRight<Serve>(
    (next, layer) => (exchange) => {
      const done = layer(exchange, next)
      if (done instanceof Promise) done.catch((error: unknown) => failed(exchange, error))
    },
    serve,
  )
}

/**
 * The same exchange, with headers that whatever answers it has as well.
 * @example const marked: HttpMiddleware = (exchange, next) => next(withHeaders(exchange, { 'x-served-by': 'a' }))
 */
export function withHeaders(exchange: Exchange, headers: HttpHeaders): Exchange {
  checkHeaders(headers)
  return addHeaders(exchange, headers)
}

/** The same exchange for an author's function: what cannot be sent is a mistake of that function, where it makes it. */
export function forAuthor(exchange: Exchange): Exchange {
  return {
    ...addHeaders(exchange, {}),
    answer: (status, headers, body) => {
      checkStatus(status)
      checkHeaders(headers)
      exchange.answer(status, headers, body)
    },
    stream: (headers, watch) => {
      checkHeaders(headers)
      return exchange.stream(headers, watch)
    },
  }
}

export function checkStatus(status: number, what = 'answer'): void {
  if (Number.isInteger(status) && status >= 200 && status <= 599) return
  throw new TypeError(`${what}: expected a status from 200 to 599, got ${describe(status)}`)
}

export function checkHeaders(headers: HttpHeaders, what = 'headers'): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
      throw new TypeError(`${what}: expected the name of a header, got ${describe(name)}`)
    if (typeof value !== 'string' || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new TypeError(`${what}: ${name}: expected text in one line of Latin-1, got ${describe(value)}`)
  }
}

export function addHeaders(exchange: Exchange, headers: HttpHeaders): Exchange {
  return {
    method: exchange.method,
    path: exchange.path,
    query: exchange.query,
    ownHosts: exchange.ownHosts,
    secure: exchange.secure,
    remote: exchange.remote,
    hooks: exchange.hooks,
    headers: exchange.headers,
    body: exchange.body,
    onGone: (run) => exchange.onGone(run),
    answer: (status, own, body) => exchange.answer(status, { ...own, ...headers }, body),
    stream: (own, watch) => exchange.stream({ ...own, ...headers }, watch),
  }
}
