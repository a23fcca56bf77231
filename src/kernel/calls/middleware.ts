import type { Result } from '../jsonrpc/message.ts'
import type { Call, Handler } from './call.ts'

/** Wraps a call; it must not make an asynchronous call of a synchronous one. */
export type Middleware = (call: Call, next: Handler) => Result | Promise<Result>

/**
 * Wraps once, when the server is made. The first middleware listed is the outermost.
 * @example const silent = (handler: Handler) => wrap([(call, next) => next(call)], handler)
 */
export function wrap(middleware: readonly Middleware[], handler: Handler): Handler {
  return middleware.reduceRight<Handler>((next, layer) => {
    const onward: Handler = (call) =>
      next(isCopy(call) ? complain(layer, 'called next without the call itself: next(call)') : call)
    return (call) => layer(call, onward) ?? complain(layer, 'gave nothing: does it return next(call)?')
  }, handler)
}

/** A copy has none of the methods of a call. */
function isCopy(call: Call): boolean {
  return typeof call?.whenCancelled !== 'function'
}

function complain({ name }: Middleware, what: string): never {
  throw new TypeError(`The middleware ${name === '' ? '(a function without a name)' : name} ${what}`)
}

/** How a call came out. */
export type Outcome = { readonly result: Result } | { readonly error: unknown }

/**
 * Goes on with a call and tells how it came out, at once or later, as the call does.
 * @example const told: Middleware = (call, next) => watch(call, next, (outcome) => console.error(call.method, outcome))
 */
export function watch<On>(
  call: On,
  next: (call: On) => Result | Promise<Result>,
  settled: (outcome: Outcome) => void,
): Result | Promise<Result> {
  const succeed = (result: Result) => {
    settled({ result })
    return result
  }
  const fail = (error: unknown): never => {
    settled({ error })
    throw error
  }
  let result: Result | Promise<Result>
  try {
    result = next(call)
  } catch (error) {
    return fail(error)
  }
  return result instanceof Promise ? result.then(succeed, fail) : succeed(result)
}
