import { type LogLevel, Passing, type Server, type Store } from '../../kernel/index.ts'
import { Traffic } from '../traffic.ts'
import { completeAuthenticator } from './auth/authenticator.ts'
import { Discovery } from './card/discovery.ts'
import { Places } from './limits.ts'
import { Node } from './nodes/node.ts'
import { receiveFromNode } from './nodes/receive.ts'
import { RollCall } from './nodes/roll-call.ts'
import { Sessions } from './sessions/sessions.ts'
import type { HttpSettings } from './settings.ts'
import type { HttpState } from './state.ts'
import { storeFailed } from './store-failed.ts'
import { EventLog } from './streams/event-log.ts'
import { KEEP_ALIVE } from './streams/event-stream.ts'

/** A server on HTTP: what its requests share, and its sessions. */
export interface HttpSite extends HttpState {
  readonly sessions: Sessions
  /** Who shares the store, where others can. */
  readonly rollCall: RollCall
  readonly discovery: Discovery
  /** From here on nothing of it counts among what its server uses. */
  unwatch(): void
}

export function createSite(server: Server, settings: HttpSettings): HttpSite {
  const { authenticator } = settings
  const store = settings.store ?? server.platform.store
  let streams = 0
  const state: HttpState = {
    server,
    settings,
    store,
    node: store.shared ? createNode(server, store, () => site) : undefined,
    nextStream: () => (state.node === undefined ? `${++streams}` : `${state.node.id}-${++streams}`),
    authenticator: authenticator === undefined ? undefined : completeAuthenticator(authenticator),
    log: openLog(server, settings, store),
    pairs: new Map(),
    links: new Passing(),
    sinks: new Set(),
    traffic: new Traffic(settings, server.platform.now),
    places: new Places(),
    largestBody: 0,
    started: false,
    closing: false,
  }
  const site: HttpSite = Object.assign(state, {
    sessions: new Sessions(state),
    rollCall: new RollCall(() => site),
    discovery: new Discovery(state),
    unwatch: () => unwatch(),
  })
  const unwatch = watchUsage(site)
  return site
}

function createNode(server: Server, store: Store, state: () => HttpSite): Node {
  return new Node({
    store,
    platform: server.platform,
    heard: (message) => receiveFromNode(state(), message),
    missed: () => state().sessions.missed(),
    failed: storeFailed({ store, server }, 'lease'),
    noted: (trouble) => server.observe({ kind: 'noted', ...wordsOf(trouble) }),
  })
}

function wordsOf(trouble: string | undefined): { readonly level: LogLevel; readonly message: string } {
  return trouble === undefined
    ? { level: 'notice', message: 'The store is back' }
    : { level: 'error', message: `The store is away, and what needs it is refused: ${trouble}` }
}

function openLog(server: Server, settings: HttpSettings, store: Store): EventLog {
  return new EventLog(store, {
    keep: settings.maxEventsPerStream,
    ttlMs: settings.eventsTtlMs,
    streamBytes: settings.maxKeptPerStreamBytes,
    sessionBytes: settings.maxKeptPerSessionBytes,
    bytes: settings.maxKeptBytes,
    now: server.platform.now,
    after: server.platform.after,
    failed: storeFailed({ store, server }, 'event log'),
  })
}

/** Has the server's budgets told what is in use here, until the function given back is called. */
function watchUsage(state: HttpSite): () => void {
  const { places, log, traffic } = state
  return state.server.usage.watchAll({
    maxBodyBytes: () => state.largestBody,
    maxCalls: () => places.all.working,
    maxCallsPerCaller: () => places.most(({ working }) => working),
    maxQuestions: () => places.all.asking,
    maxSessions: () => places.all.sessions,
    maxSessionsPerCaller: () => places.most(({ sessions }) => sessions),
    maxStreamsPerSession: () => mostStreams(state),
    maxStreams: () => places.all.streams,
    maxStreamsPerCaller: () => places.most(({ streams }) => streams),
    maxKeptBytes: () => log.bytes,
    maxKeptPerSessionBytes: () => log.largestSession,
    maxKeptPerStreamBytes: () => log.largestStream.bytes,
    maxEventsPerStream: () => log.largestStream.events,
    maxArrivingBytes: () => traffic.arriving,
    maxUnsentBytes: () => traffic.unsent,
  })
}

function mostStreams({ sessions }: HttpSite): number {
  let most = 0
  for (const { openStreams } of sessions.warm.values()) most = Math.max(most, openStreams)
  return most
}

/** Opens the server, and has other nodes know us; gives nothing back where there is nothing to wait for. */
export function startSite(state: HttpSite): Promise<void> | undefined {
  const { server, node } = state
  const starting = node === undefined ? server.start() : startNode(server, node)
  const done = () => {
    state.started = true
  }
  if (starting === undefined) done()
  return starting?.then(done)
}

async function startNode(server: Server, node: Node): Promise<void> {
  await server.start()
  await node.open()
}

/** How often what has expired, or is not used, is let go, at least. */
const MAX_SWEEP_MS = 1000

/** Keeps streams alive and lets go what has expired, until the function given back is called. */
export function tend(state: HttpSite): () => void {
  const { server, settings } = state
  const sweepMs = Math.min(MAX_SWEEP_MS, Math.max(10, settings.sessionIdleMs / 10))
  const stops = [
    every(server, settings.keepAliveMs, () => keepAlive(state)),
    every(server, sweepMs, () => expire(state)),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function every(server: Server, milliseconds: number, run: () => void): () => void {
  let stop = server.platform.after(milliseconds, again)
  function again() {
    run()
    stop = server.platform.after(milliseconds, again)
  }
  return () => stop()
}

/** A stream on which something is still on its way is plainly alive. */
function keepAlive({ sinks }: HttpSite): void {
  for (const sink of [...sinks]) if (sink.unread === 0) sink.write(KEEP_ALIVE)
}

function expire({ sessions, pairs, server, log }: HttpSite): void {
  const now = server.platform.now()
  log.sweep()
  sessions.sweep(now)
  for (const pair of pairs.values()) pair.touch?.(now)
}

const answered = ({ server }: HttpSite) => new Promise<void>((resolve) => server.platform.after(0, resolve))

/**
 * Takes nothing new, answers what is under way until it is late, and ends the rest; tells whether all was answered.
 * Subscriptions end with a result, and nobody can be asked any more, since answers would be new requests.
 */
export async function closeSite(state: HttpSite, late: AbortSignal): Promise<boolean> {
  const { sessions, pairs, links, places, node, settings } = state
  state.closing = true
  state.server.end()
  const clients = () => [...sessions.warm.values(), ...pairs.values()]
  for (const { link } of clients()) link.hangUp()
  const finished = await places.idle(late)
  if (!finished) {
    for (const { link } of clients()) link.log('error', 'The server stops with calls still under way')
    for (const link of [...clients().map((client) => client.link), ...links.values()]) link.giveUp()
    await answered(state) // What calls are told that are given up leaves before their streams do.
  }
  for (const session of [...sessions.warm.values()]) session.leave()
  for (const pair of [...pairs.values()]) {
    if (settings.successor) pair.link.close('elsewhere') // Whoever holds the port has another child go on with it.
    pair.end()
  }
  for (const link of links.values()) link.close()
  state.discovery.close()
  await state.rollCall.leave()
  await node?.close()
  state.unwatch()
  return finished
}
