import { type Incoming, parse, type Refused } from '../../kernel/index.ts'
import { CLOSING, refusalOf, refuse } from './answers.ts'
import type { Exchange } from './exchange.ts'
import type { HttpState } from './state.ts'

/** Reads what was posted, and refuses what is no message, or is whole only after closing has begun. */
export function readMessage(
  state: HttpState,
  exchange: Exchange,
  done: (incoming: Exclude<Incoming, Refused>) => void,
): void {
  exchange.readBody(state.settings.maxBodyBytes, (body) => {
    if (typeof body !== 'string') return refuse(exchange, body)
    if (state.closing) return refuse(exchange, CLOSING)
    state.server.usage.saw('maxBodyBytes', body.length)
    const incoming = parse(body, state.server.dialect)
    if (incoming.kind === 'refused') return refuse(exchange, refusalOf(400, incoming.fault), incoming.id)
    done(incoming)
  })
}
