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

/** The same exchange, with headers that whatever answers it has as well. */
export function withHeaders(exchange: Exchange, headers: HttpHeaders): Exchange {
  return {
    method: exchange.method,
    path: exchange.path,
    query: exchange.query,
    ownHosts: exchange.ownHosts,
    remote: exchange.remote,
    hooks: exchange.hooks,
    headers: exchange.headers,
    body: exchange.body,
    onGone: (run) => exchange.onGone(run),
    answer: (status, own, body) => exchange.answer(status, { ...own, ...headers }, body),
    stream: (own, watch) => exchange.stream({ ...own, ...headers }, watch),
  }
}
