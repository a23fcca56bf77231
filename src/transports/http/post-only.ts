import {
  cut,
  Fault,
  findMethod,
  type Incoming,
  type Principal,
  type Request,
  readIntroduction,
  toPeer,
} from '../../kernel/index.ts'
import { answerAlone, NOWHERE } from './alone.ts'
import type { Exchange, Refusal } from './exchange.ts'
import { checkStreamAccept } from './guards.ts'
import { checkArgumentHeaders, checkMethodHeaders, checkVersionHeader } from './headers.ts'
import { refusal, refusalOf, refuse } from './refuse.ts'
import { checkCalls, checkStreams, makeWay } from './room.ts'
import { checkScopes } from './scopes.ts'
import { HTTP, type Site } from './site.ts'

/** 2026-07-28: a request is a POST and its answer is all there is; nothing is remembered between two of them. */
export function receivePostOnly(
  site: Site,
  message: Incoming,
  exchange: Exchange,
  principal: Principal,
): void {
  if (message.kind === 'notice') return exchange.answer(202, {})
  if (message.kind !== 'request') return refuse(exchange, NOT_ASKED[message.kind])
  const listens = message.method === 'subscriptions/listen'
  const room = listens
    ? checkListening(site, message, exchange, principal)
    : checkCalls(site, principal, message)
  const refused = room ?? climb(site, message, exchange, principal)
  if (refused !== undefined) return refuse(exchange, refused, message.id)
  const { rested } = site.room
  answerAlone(
    site,
    message,
    exchange,
    site.server.open({ outlet: NOWHERE, principal, carrier: HTTP, rested }),
  )
}

function checkListening(
  site: Site,
  message: Incoming,
  exchange: Exchange,
  principal: Principal,
): Refusal | undefined {
  makeWay(site, message, principal)
  return checkStreamAccept(exchange) ?? checkStreams(site, principal)
}

const NOT_ASKED = {
  answer: refusal(400, 'Invalid request: there is no question to answer'),
  batch: refusal(400, 'Invalid request: there are no batches in this revision'),
  refused: refusal(400, 'Invalid request'),
}

/** The rungs that a request must climb before it is a call, in the order in which they are told apart. */
function climb(site: Site, request: Request, exchange: Exchange, principal: Principal): Refusal | undefined {
  const { server } = site
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
  return checkScopes(site, request, principal)
}
