import type { Principal } from '../../../kernel/index.ts'
import { refusal, refuse } from '../answers.ts'
import type { Exchange, Refusal } from '../exchange.ts'
import { checkStreamAccept } from '../guards/media-types.ts'
import { checkCalls, checkStreams } from '../limits.ts'
import type { HttpState, Posted } from '../state.ts'
import { answerCall } from './single-call.ts'

/** 2026-07-28: a request is a POST and its answer is all there is; nothing is remembered between two of them. */
export function receiveStateless(state: HttpState, { incoming, exchange, principal }: Posted): void {
  if (incoming.kind === 'notification') return exchange.answer(202, {})
  if (incoming.kind !== 'request') return refuse(exchange, NOT_ASKED[incoming.kind])
  const listens = incoming.method === 'subscriptions/listen'
  const refused = listens
    ? checkListening(state, exchange, principal)
    : checkCalls(state, principal, incoming)
  if (refused !== undefined) return refuse(exchange, refused, incoming.id)
  answerCall(state, exchange, { incoming, principal })
}

function checkListening(state: HttpState, exchange: Exchange, principal: Principal): Refusal | undefined {
  return checkStreamAccept(exchange) ?? checkStreams(state, principal)
}

const NOT_ASKED = {
  response: refusal(400, 'Invalid request: there is no question to answer'),
  batch: refusal(400, 'Invalid request: there are no batches in this revision'),
}
