import { type Principal, parse, tell } from '../../kernel/index.ts'
import { CLOSING, refusalOf, refuse } from './answers.ts'
import type { Exchange, Refusal } from './exchange.ts'
import { checkContentType, checkPostAccept } from './guards/media-types.ts'
import { recognise } from './shapes/recognise.ts'
import { receiveStateless } from './shapes/stateless.ts'
import { receiveStreamable } from './shapes/streamable.ts'
import type { HttpSite } from './site.ts'
import type { ReadableIncoming } from './state.ts'

const RECEIVE = { stateless: receiveStateless, streamable: receiveStreamable }

/** POST: a message, which says itself of which shape it is. */
export function post(state: HttpSite, exchange: Exchange, principal: Principal): void {
  const refused = checkContentType(exchange) ?? checkPostAccept(exchange)
  if (refused !== undefined) return refuse(exchange, refused)
  exchange.body.read(state.settings.maxBodyBytes, (body) => {
    const incoming = parseBody(state, exchange, body)
    if (incoming !== undefined)
      RECEIVE[recognise(incoming, exchange)](state, { incoming, exchange, principal })
  })
}

/** What is no message, or is whole only after closing has begun, is refused and gives nothing. */
export function parseBody(
  state: HttpSite,
  exchange: Exchange,
  body: string | Refusal,
): ReadableIncoming | undefined {
  if (typeof body !== 'string' || state.closing) {
    refuse(exchange, typeof body === 'string' ? CLOSING : body)
    return undefined
  }
  if (body.length > state.largestBody) state.largestBody = body.length
  const incoming = parse(body, state.server.dialect, state.server.budgets)
  if (incoming.kind !== 'refused') return incoming
  const error = tell(incoming.fault, undefined, state.server)
  refuse(exchange, { ...refusalOf(400, incoming.fault), error }, incoming.id)
  return undefined
}
