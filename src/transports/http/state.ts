import type { Carrier, Incoming, Link, Principal, Server } from '../../kernel/index.ts'
import { completeAuthenticator } from './auth/authenticator.ts'
import type { Authenticator, BodySink, Exchange } from './exchange.ts'
import { Places } from './limits.ts'
import type { HttpSettings } from './settings.ts'
import { EventLog } from './streams/event-log.ts'
import { KEEP_ALIVE } from './streams/event-stream.ts'
import { Traffic } from './traffic.ts'

/** How messages come here, for whoever watches. */
export const HTTP: Carrier = { transport: 'tcp', protocol: 'http' }

/** A message that somebody has posted. */
export interface Posted<Message extends Incoming = Incoming> {
  readonly incoming: Message
  readonly exchange: Exchange
  readonly principal: Principal
}

/** A client that is known beyond one request. */
export interface KnownClient {
  readonly link: Link
  readonly principal: Principal
  end(): void
}

/** A client that has opened a session. */
export interface OpenSession extends KnownClient {
  readonly openStreams: number
  /** Ends it when nobody has used it for long. */
  expire(now: number): void
}

/** What all requests to one server share. */
export interface HttpState {
  readonly server: Server
  readonly settings: HttpSettings
  /** The one of the settings, with nothing left out. */
  readonly authenticator: Required<Authenticator> | undefined
  readonly log: EventLog
  readonly sessions: Map<string, OpenSession>
  /** The clients of 2024-11-05, which hear on one connection and speak on others. */
  readonly pairs: Map<string, KnownClient>
  /** The links of calls that belong to no session. */
  readonly links: Set<Link>
  readonly sinks: Set<BodySink>
  readonly traffic: Traffic
  /** Who takes how many places. */
  readonly places: Places
  /** The most characters that a body has had. */
  largestBody: number
  closing: boolean
}

export function createState(server: Server, settings: HttpSettings): HttpState {
  const { authenticator } = settings
  const state: HttpState = {
    server,
    settings,
    authenticator: authenticator === undefined ? undefined : completeAuthenticator(authenticator),
    log: openLog(server, settings),
    sessions: new Map(),
    pairs: new Map(),
    links: new Set(),
    sinks: new Set(),
    traffic: new Traffic(settings, server.platform.now),
    places: new Places(),
    largestBody: 0,
    closing: false,
  }
  watchUsage(state)
  return state
}

function openLog(server: Server, settings: HttpSettings): EventLog {
  return new EventLog(settings.store ?? server.platform.store, {
    keep: settings.maxEventsPerStream,
    ttlMs: settings.eventsTtlMs,
    streamBytes: settings.maxKeptPerStreamBytes,
    sessionBytes: settings.maxKeptPerSessionBytes,
    bytes: settings.maxKeptBytes,
    now: server.platform.now,
    failed: (error) => server.observe({ kind: 'crashed', error, method: 'event log' }),
  })
}

function watchUsage(state: HttpState): void {
  const { places, log, traffic } = state
  const { usage } = state.server
  usage.watch('maxBodyBytes', () => state.largestBody)
  usage.watch('maxCalls', () => places.all.working)
  usage.watch('maxCallsPerCaller', () => places.most(({ working }) => working))
  usage.watch('maxQuestions', () => places.all.asking)
  usage.watch('maxSessions', () => places.all.sessions)
  usage.watch('maxSessionsPerCaller', () => places.most(({ sessions }) => sessions))
  usage.watch('maxStreamsPerSession', () => mostStreams(state))
  usage.watch('maxStreams', () => places.all.streams)
  usage.watch('maxStreamsPerCaller', () => places.most(({ streams }) => streams))
  usage.watch('maxKeptBytes', () => log.bytes)
  usage.watch('maxKeptPerSessionBytes', () => log.largestSession)
  usage.watch('maxKeptPerStreamBytes', () => log.largestStream.bytes)
  usage.watch('maxEventsPerStream', () => log.largestStream.events)
  usage.watch('maxArrivingBytes', () => traffic.arriving)
  usage.watch('maxUnsentBytes', () => traffic.unsent)
}

function mostStreams({ sessions }: HttpState): number {
  let most = 0
  for (const { openStreams } of sessions.values()) most = Math.max(most, openStreams)
  return most
}

/** How often what has expired is let go, at least. */
const MAX_SWEEP_MS = 15_000

/** Keeps streams alive and lets go what has expired, until the function given back is called. */
export function tend(state: HttpState): () => void {
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
function keepAlive({ sinks }: HttpState): void {
  for (const sink of [...sinks]) if (sink.unread === 0) sink.write(KEEP_ALIVE)
}

function expire({ sessions, server, log }: HttpState): void {
  const now = server.platform.now()
  log.sweep()
  for (const session of [...sessions.values()]) session.expire(now)
}

/**
 * Takes nothing new, answers what is under way until it is late, and ends the rest; tells whether all was answered.
 * Subscriptions end with a result, and nobody can be asked any more, since answers would be new requests.
 */
export async function closeState(state: HttpState, late: AbortSignal): Promise<boolean> {
  const { sessions, pairs, links, places } = state
  state.closing = true
  state.server.end()
  const clients = [...sessions.values(), ...pairs.values()]
  for (const { link } of clients) link.hangUp()
  const finished = await places.idle(late)
  if (!finished)
    for (const { link } of clients) link.log('error', 'The server stops with calls still under way')
  for (const session of [...sessions.values()]) session.end()
  for (const pair of [...pairs.values()]) pair.end()
  for (const link of [...links]) link.close()
  return finished
}
