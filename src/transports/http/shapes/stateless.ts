import {
  cut,
  Fault,
  findMethod,
  type Incoming,
  type Principal,
  type Request,
  readIntroduction,
  toPeer,
} from '../../../kernel/index.ts'
import { refusal, refusalOf, refuse } from '../answers.ts'
import type { Exchange, Refusal } from '../exchange.ts'
import { checkStreamAccept } from '../guards/media-types.ts'
import { checkArgumentHeaders, checkMethodHeaders, checkVersionHeader } from '../guards/request-headers.ts'
import { checkScopes } from '../guards/scopes.ts'
import { checkCalls, checkStreams, makeWay } from '../limits.ts'
import { HTTP, type HttpState } from '../state.ts'
import { answerCall, NOWHERE } from './single-call.ts'

/** 2026-07-28: a request is a POST and its answer is all there is; nothing is remembered between two of them. */
export function receiveStateless(
  state: HttpState,
  message: Incoming,
  exchange: Exchange,
  principal: Principal,
): void {
  if (message.kind === 'notice') return exchange.answer(202, {})
  if (message.kind !== 'request') return refuse(exchange, NOT_ASKED[message.kind])
  const listens = message.method === 'subscriptions/listen'
  const places = listens
    ? checkListening(state, message, exchange, principal)
    : checkCalls(state, principal, message)
  const refused = places ?? climb(state, message, exchange, principal)
  if (refused !== undefined) return refuse(exchange, refused, message.id)
  const { rested } = state.places
  answerCall(
    state,
    message,
    exchange,
    state.server.open({ outlet: NOWHERE, principal, carrier: HTTP, rested }),
  )
}

function checkListening(
  state: HttpState,
  message: Incoming,
  exchange: Exchange,
  principal: Principal,
): Refusal | undefined {
  makeWay(state, message, principal)
  return checkStreamAccept(exchange) ?? checkStreams(state, principal)
}

const NOT_ASKED = {
  answer: refusal(400, 'Invalid request: there is no question to answer'),
  batch: refusal(400, 'Invalid request: there are no batches in this revision'),
  refused: refusal(400, 'Invalid request'),
}

/** The rungs that a request must climb before it is a call, in the order in which they are told apart. */
function climb(
  state: HttpState,
  request: Request,
  exchange: Exchange,
  principal: Principal,
): Refusal | undefined {
  const { server } = state
  const introduction = readIntroduction(request.params?.['_meta'])
  if (introduction instanceof Fault) return refusalOf(400, introduction)
  const mismatch = checkVersionHeader(exchange, introduction.version)
  if (mismatch !== undefined) return refusalOf(400, mismatch)
  const peer = toPeer(introduction)
  if (peer instanceof Fault) return refusalOf(400, peer)
  const wrongHeader = checkMethodHeaders(exchange, request)
  if (wrongHeader !== undefined) return refusalOf(400, wrongHeader)
  if (findMethod(request.method, peer.revision, server, principal) === undefined) {
    return refusalOf(404, new Fault('methodNotFound', `Method not found: ${cut(request.method)}`))
  }
  const wrongArgument = checkArgumentHeaders(exchange, request, { server, principal })
  if (wrongArgument !== undefined) return refusalOf(400, wrongArgument)
  return checkScopes(state, request, principal)
}
