import { type Incoming, type Link, type Principal, print } from '../../../kernel/index.ts'
import { refusal, refuse } from '../answers.ts'
import { HTTP } from '../carrier.ts'
import type { BodySink, Exchange } from '../exchange.ts'
import { checkContentType, checkStreamAccept } from '../guards/media-types.ts'
import { checkCalls, checkStreams, countRequests } from '../limits.ts'
import { nodeOf } from '../nodes/node.ts'
import { parseBody } from '../post.ts'
import { whenStored } from '../sessions/when-stored.ts'
import type { HttpSite } from '../site.ts'
import type { KnownClient } from '../state.ts'
import { storeFailed } from '../store-failed.ts'
import { EVENT_STREAM_HEADERS, printNamedEvent } from '../streams/event-stream.ts'
import { requestsOf } from '../streams/lost-calls.ts'
import { openSink } from '../streams/sink.ts'

/** GET: opens the stream, whose first event says where to post. */
export function openPair(
  state: HttpSite,
  exchange: Exchange,
  { principal, messages }: { readonly principal: Principal; readonly messages: string },
): void {
  const { server, sessions, node } = state
  const refused = checkStreamAccept(exchange) ?? checkStreams(state, principal)
  if (refused !== undefined) return refuse(exchange, refused)
  const random = server.platform.randomId()
  const id = node === undefined ? random : `${node.id}.${random}`
  whenStored({ state, exchange }, sessions.admit(id, principal), (full) => {
    if (full !== undefined) return refuse(exchange, full)
    const pair = new ListeningPair(state, id, principal)
    whenStored({ state, exchange }, pair.save(), () => pair.open(exchange, messages))
  })
}

/** A client that hears on one connection and speaks on others, which may reach other nodes. */
class ListeningPair implements KnownClient {
  readonly link: Link
  readonly principal: Principal
  readonly #state: HttpSite
  readonly id: string
  #sink: BodySink | undefined
  #touchedAt: number

  constructor(state: HttpSite, id: string, principal: Principal) {
    const { server, places } = state
    this.#state = state
    this.id = id
    this.principal = principal
    this.#touchedAt = server.platform.now()
    this.link = server.open({
      outlet: { send: (message) => this.#sink?.write(printNamedEvent('message', print(message))) },
      principal,
      carrier: { ...HTTP, session: id },
      rested: places.rested,
      makeRoom: places.makeRoom,
    })
  }

  /** Other nodes need to know whose it is, and that it is there. */
  async save(): Promise<void> {
    const { store, node, settings } = this.#state
    if (node !== undefined)
      await store.put(keyOf(this.id), this.principal.id, { ttlMs: settings.sessionIdleMs })
  }

  /** For as long as it is open it is kept. */
  touch(now: number): void {
    const { sessions, settings } = this.#state
    if (now - this.#touchedAt < settings.sessionIdleMs / 4) return
    this.#touchedAt = now
    const ended = () => void this.save().catch(() => {}) // The next one tries again.
    sessions.places.keep({ key: keyOf(this.id), id: this.id, principal: this.principal, ended })
  }

  open(exchange: Exchange, messages: string): void {
    const { principal, link } = this
    const gone = () => this.#leave()
    this.#sink = openSink(this.#state, exchange, { headers: EVENT_STREAM_HEADERS, gone, link, principal })
    this.#state.pairs.set(this.id, this)
    this.#sink.write(printNamedEvent('endpoint', `${messages}?sessionId=${this.id}`))
  }

  end(): void {
    this.#leave()
    this.#sink?.end()
  }

  #leave(): void {
    const { pairs, sessions, store, node } = this.#state
    this.link.close()
    if (!pairs.delete(this.id)) return
    const left = [sessions.leave(this.id, this.principal)]
    if (node !== undefined) left.push(store.delete(keyOf(this.id)))
    Promise.all(left).catch(storeFailed(this.#state, 'sessions'))
  }
}

/** POST: what the client says; the answer goes out on its stream. */
export function postToPair(state: HttpSite, exchange: Exchange, principal: Principal): void {
  const id = new URLSearchParams(exchange.query).get('sessionId')
  if (id === null) return refuse(exchange, refusal(400, 'Bad request: the parameter sessionId is missing'))
  const unsupported = checkContentType(exchange)
  if (unsupported !== undefined) return refuse(exchange, unsupported)
  const pair = state.pairs.get(id)
  if (pair === undefined && isElsewhere(state, id)) return postElsewhere(state, { exchange, principal, id })
  if (pair === undefined || pair.principal.id !== principal.id) return refuse(exchange, NO_PAIR)
  exchange.body.read(state.settings.maxBodyBytes, (body) => {
    const incoming = parseBody(state, exchange, body)
    if (incoming === undefined) return
    const full = checkCalls(state, principal, incoming)
    if (full !== undefined) return refuse(exchange, full, incoming.kind === 'request' ? incoming.id : null)
    deliverToPair(state, { pair, principal, incoming }) // First, since to answer has the next request taken up.
    exchange.answer(202, { 'content-type': 'text/plain' }, 'Accepted')
  })
}

const NO_PAIR = refusal(404, 'Not found: there is no such session')

function isElsewhere({ node }: HttpSite, id: string): boolean {
  const owner = nodeOf(id)
  return node !== undefined && owner !== undefined && owner !== node.id
}

/** The stream is on another node, which answers on it. */
function postElsewhere(state: HttpSite, { exchange, principal, id }: ElsewherePost): void {
  const { node, settings, store } = state
  const owner = nodeOf(id) ?? ''
  exchange.body.read(settings.maxBodyBytes, (body) => {
    const incoming = parseBody(state, exchange, body)
    if (typeof body !== 'string' || incoming === undefined || node === undefined) return
    const message = incoming.kind === 'request' ? incoming.id : null
    const send = async () => {
      const [alive, entry] = await Promise.all([node.isAlive(owner), store.get(keyOf(id))])
      const known = alive && entry?.value === principal.id
      return known && (await node.send(owner, { kind: 'pair', pair: id, principal, body })) === 'taken'
    }
    whenStored({ state, exchange, id: message }, send(), (sent) => {
      if (sent) exchange.answer(202, { 'content-type': 'text/plain' }, 'Accepted')
      else refuse(exchange, NO_PAIR, message)
    })
  })
}

const keyOf = (id: string) => `pair/${id}`

interface ElsewherePost {
  readonly exchange: Exchange
  readonly principal: Principal
  readonly id: string
}

/** Something that a client has posted, here or on another node. */
interface PostedToPair {
  readonly pair: KnownClient
  readonly principal: Principal
  readonly incoming: Incoming
}

/** Another node has taken it without knowing how many calls are under way here; where there is no room, the stream says so. */
export function receiveForPair(state: HttpSite, posted: PostedToPair): void {
  const { pair, principal, incoming } = posted
  const full = checkCalls(state, principal, incoming)
  if (full === undefined) return deliverToPair(state, posted)
  for (const { id } of requestsOf(incoming)) pair.link.outlet.send({ jsonrpc: '2.0', id, error: full.error })
}

/** The answer is an event on its stream. */
function deliverToPair({ places }: HttpSite, { pair, principal, incoming }: PostedToPair): void {
  const { link } = pair
  link.principal = principal // The same caller may come back with a token for more, or for less.
  let waiting = 0
  const answered = link.receive(incoming, (reply) => {
    if (waiting > 0) places.countCalls(principal, -waiting)
    if (reply !== undefined && link.state !== 'closed') link.outlet.send(reply)
  })
  if (answered) return
  waiting = countRequests(incoming)
  places.countCalls(principal, waiting)
}
