import { type Json, type Link, type Principal, print } from '../../../kernel/index.ts'
import type { BodySink, Exchange, HttpHeaders } from '../exchange.ts'
import { nodeOf } from '../nodes/node.ts'
import type { HttpState } from '../state.ts'
import { storeFailed } from '../store-failed.ts'
import { EVENT_STREAM_HEADERS, OPENED, printEvent, printPriming } from './event-stream.ts'
import { type LoggedEvent, LogReader, logOf, OVER, readEvents } from './logged-events.ts'
import { answerLost, readCalls } from './lost-calls.ts'
import { openSink } from './sink.ts'

/** How often a reader looks whether there is more, should nobody tell, and whether the node that writes is there. */
const LOOK_MS = 1000

/** How long the node that writes may take to hear that its stream is read here, before what there is is told. */
const TOLD_MS = 200

/** How long whoever has undertaken to answer for a node that is gone may take before somebody else does. */
const ANSWERED_MS = 5000

/** A client that comes back to a stream that is not on this node, with the last event it has seen. */
export interface Returning {
  readonly session: {
    readonly id: string
    readonly state: HttpState
    readonly link: Link
    readonly principal: Principal
    readonly priming: boolean
    readonly headers: HttpHeaders
    findStream(id: string): object | undefined
  }
  readonly exchange: Exchange
  readonly stream: string
  readonly after: number
}

/** Tells a client what the log of a stream has, and what comes, until it ends; gives false where there is no log. */
export async function follow(returning: Returning): Promise<boolean> {
  const { session, stream, after } = returning
  const { store, log } = session.state
  const name = logOf(session.id, stream)
  const [entry, events] = await Promise.all([store.get(name), readEvents(log, name, 0)])
  const last = events.at(-1)
  if (last?.end === true && after >= last.number && last.text !== '') return false
  const more =
    readCalls(entry?.value) !== undefined ||
    (last !== undefined && (last.end === true || last.number > after))
  if (!more && !(await mayComeLate(returning))) return false
  const followed = new FollowedStream(returning, name)
  void followed.run()
  return true
}

/** A node that has not been able to write yet, or has had nothing to write for long, is asked. */
async function mayComeLate({ session, stream }: Returning): Promise<boolean> {
  const { node } = session.state
  const owner = nodeOf(stream)
  if (node === undefined || owner === undefined || owner === node.id) return false
  if (!(await node.isAlive(owner))) return false
  return (await node.send(owner, { kind: 'moved', session: session.id, stream })) !== 'in vain'
}

/** A stream whose call runs on another node, or ran on one. */
class FollowedStream {
  readonly #returning: Returning
  readonly #name: string
  readonly #state: HttpState
  readonly #sink: BodySink
  readonly #reader: LogReader
  /** A word that tells us from others who read it, and whether it has come by. */
  readonly #reading: string
  #heard = false
  #open = true
  #delivered: number
  /** Called when there may be more. */
  #look: () => void = () => {}
  #told = false
  /** Whether its node does not have it any more. */
  #over = false
  /** What somebody else wrote down when they undertook to answer, and since when we know. */
  #undertaken: { readonly version: number; readonly since: number } | undefined

  constructor(returning: Returning, name: string) {
    const { session, exchange, stream, after } = returning
    const { state, link, principal, priming } = session
    this.#returning = returning
    this.#name = name
    this.#state = state
    this.#reader = new LogReader(state.log, name)
    this.#reading = state.server.platform.randomId()
    this.#delivered = after
    const gone = () => {
      this.#open = false
      this.#look()
    }
    const headers = { ...EVENT_STREAM_HEADERS, ...session.headers }
    this.#sink = openSink(state, exchange, { headers, gone, principal, link })
    this.#sink.write(priming ? printPriming(`${stream}:${after}`, state.settings.retryMs) : OPENED)
  }

  /** A store that fails ends it, and the client comes back. */
  async run(): Promise<void> {
    const { store } = this.#state
    let leave = async () => {}
    try {
      leave = await store.subscribe(this.#name, this.#nudge, () => this.#nudge())
      await store.publish(this.#name, this.#reading)
      await this.#tellOwner()
      while (this.#open && !(await this.#catchUp())) await this.#pause()
    } catch (error) {
      storeFailed(this.#state, 'event log')(error)
    }
    if (this.#open) this.#sink.end()
    leave().catch(() => {}) // A store that fails now has nobody to tell.
  }

  readonly #nudge = (said?: Json) => {
    this.#told = true
    this.#over ||= said === OVER
    if (typeof said === 'string') this.#hearOfReader(said)
    this.#look()
  }

  /** All hear in the same order who reads it, and whoever comes last has it. */
  #hearOfReader(reader: string): void {
    if (reader === this.#reading) this.#heard = true
    else if (this.#heard && this.#open) {
      this.#open = false
      this.#sink.end()
    }
  }

  /**
   * The node that writes the stream need not write it to its client any more. It has heard that before the client has
   * anything from here, so it does not take it for news when the client has gone on to itself; one that cannot be told
   * is found to be gone.
   */
  async #tellOwner(): Promise<void> {
    const { session, stream } = this.#returning
    const { node, server } = this.#state
    const owner = nodeOf(stream)
    if (node === undefined || owner === undefined || owner === node.id) return
    let stopClock = () => {}
    const late = new Promise<void>((resolve) => {
      stopClock = server.platform.after(TOLD_MS, resolve)
    })
    await Promise.race([
      node.send(owner, { kind: 'moved', session: session.id, stream }).catch(() => {}),
      late,
    ])
    stopClock()
  }

  /** Writes what there is; tells whether that was all there will be. */
  async #catchUp(): Promise<boolean> {
    this.#told = false
    const events = await this.#reader.read()
    for (const event of events) {
      if (event.number > this.#delivered) await this.#write(event)
      if (event.end === true || !this.#open) return true
    }
    return events.length === 0 && (await this.#isLost()) && this.#answerLost()
  }

  async #write({ number, text }: LoggedEvent): Promise<void> {
    this.#delivered = number
    this.#state.server.traced.replayed++
    if (text !== '') this.#sink.write(printEvent(text, `${this.#returning.stream}:${number}`))
    await new Promise<void>((resolve) => {
      this.#look = resolve
      this.#sink.drained(resolve)
    })
  }

  /** Whether nobody will write the rest: its node is gone, or is this one, which would know it. */
  async #isLost(): Promise<boolean> {
    const { stream, session } = this.#returning
    const { node } = this.#state
    const owner = nodeOf(stream)
    if (this.#over) return true
    if (node === undefined || owner === undefined || owner === node.id)
      return session.findStream(stream) === undefined
    return !(await node.isAlive(owner))
  }

  /** Answers the calls of a node that is gone, unless somebody else has; tells whether there is nothing to wait for. */
  async #answerLost(): Promise<boolean> {
    const { store, settings, server } = this.#state
    const [late] = await readEvents(this.#state.log, this.#name, this.#delivered)
    if (late !== undefined) return false // It was written before the node went.
    const entry = await store.get(this.#name)
    const kept = readCalls(entry?.value)
    if (entry === undefined || kept === undefined) return true
    const { calls, lost } = kept
    const now = server.platform.now()
    if (lost !== undefined && !this.#isOverdue(entry.version, now)) return false // Somebody else is about to.
    const ttlMs = settings.eventsTtlMs
    const options = { ttlMs, ifVersion: entry.version }
    const value = { ...kept, calls: calls.map((call) => ({ ...call })), lost: now }
    if ((await store.put(this.#name, value, options)) === undefined) return false
    server.traced.lost += calls.length
    const reply = answerLost(calls)
    const event = { number: this.#delivered + 1, text: reply === undefined ? '' : print(reply), end: true }
    await store.append(this.#name, event, { ttlMs, keep: settings.maxEventsPerStream })
    await store.publish(this.#name, event.number)
    return false
  }

  /** Whether whoever undertook it has had its time, by our own clock: theirs may be another. */
  #isOverdue(version: number, now: number): boolean {
    if (this.#undertaken?.version !== version) this.#undertaken = { version, since: now }
    return now - this.#undertaken.since >= ANSWERED_MS
  }

  async #pause(): Promise<void> {
    if (this.#told) return
    let stopClock = () => {}
    await new Promise<void>((resolve) => {
      this.#look = resolve
      stopClock = this.#state.server.platform.after(LOOK_MS, resolve)
    })
    stopClock()
  }
}
