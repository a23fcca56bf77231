import {
  type Call,
  Fault,
  isObject,
  type Json,
  type JsonObject,
  type LogLevel,
  type Server,
} from '../../kernel/index.ts'
import { CallerElsewhere, type SaidElsewhere } from './caller-elsewhere.ts'
import { packError, packOutput, type SentOutcome, unpack } from './held-outcome.ts'
import type { CallerSide } from './open-call.ts'
import { passProgress } from './pass-progress.ts'

/** How often a node that waits says so, and after how long a silence the other one takes it for gone. */
const BEAT_MS = 2000
const SILENCE_MS = 4 * BEAT_MS

/** What nodes tell each other of calls that are open on one of them and waited for on another. */
type HeldLetter =
  /** Goes on with a call that is held, with what its client has answered. */
  | {
      readonly kind: 'resume'
      readonly held: string
      readonly answers: JsonObject
      readonly logLevel?: LogLevel
    }
  /** Still waits for it, or does not any more. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'cancelled'; readonly reason?: string | undefined }
  /** It is at work. */
  | { readonly kind: 'heard' }
  | { readonly kind: 'said'; readonly said: SaidElsewhere }
  | { readonly kind: 'settled'; readonly outcome: SentOutcome }

interface PostedLetter {
  readonly from: string
  /** By which the node that waits knows the call. */
  readonly number: number
  readonly letter: HeldLetter
}

interface WaitedFor {
  readonly hear: (letter: HeldLetter) => void
}

/** A call that is open here for a client on another node. */
interface WorkedOn {
  readonly caller: CallerElsewhere
  outcome: SentOutcome | undefined
  stopClock: () => void
}

export interface HeldElsewhereOptions {
  readonly server: Server
  /** Goes on with a call that is held here. */
  readonly resume: (held: string, caller: CallerSide) => Promise<unknown>
}

/** The mail between nodes that share a store, about calls that are held on one and answered on another. */
export class HeldElsewhere {
  readonly #options: HeldElsewhereOptions
  /** What this end is called. */
  readonly node: string
  readonly #waiting = new Map<number, WaitedFor>()
  readonly #working = new Map<string, WorkedOn>()
  #subscribed: Promise<() => Promise<void>> | undefined
  #lastNumber = 0

  constructor(options: HeldElsewhereOptions) {
    this.#options = options
    this.node = options.server.platform.randomId()
  }

  /** Resolves when it can be written to, where there are others who could. */
  async open(): Promise<void> {
    const { store } = this.#options.server.platform
    if (!store.shared) return
    this.#subscribed ??= store.subscribe(topicOf(this.node), (posted) => this.#hear(posted))
    await this.#subscribed.catch((error) => {
      this.#subscribed = undefined
      throw error
    })
  }

  async close(): Promise<void> {
    for (const { caller, stopClock } of this.#working.values()) {
      stopClock()
      caller.abort()
    }
    this.#working.clear()
    const leave = await this.#subscribed?.catch(() => undefined) // Then there is nothing to leave.
    await leave?.()
  }

  /** Has a call go on that is held on another node, and gives what comes of it there. */
  async resume(node: string, held: string, call: Call): Promise<unknown> {
    await this.open()
    const { after } = this.#options.server.platform
    const { answers, logLevel } = call
    const number = ++this.#lastNumber
    const send = (letter: HeldLetter) => this.#send(node, { from: this.node, number, letter })
    const resume: HeldLetter = { kind: 'resume', held, answers, ...(logLevel && { logLevel }) }
    call.whenCancelled((reason) => send({ kind: 'cancelled', ...(reason !== undefined && { reason }) }))
    let stopClock = () => {}
    const outcome = new Promise<SentOutcome>((resolve) => {
      let [isHeard, silentMs] = [false, 0]
      const beat = () => {
        if (silentMs >= SILENCE_MS) return resolve(GONE)
        silentMs += BEAT_MS
        send(isHeard ? { kind: 'waiting' } : resume)
        stopClock = after(BEAT_MS, beat)
      }
      const hear = (letter: HeldLetter) => {
        isHeard = true
        silentMs = 0
        if (letter.kind === 'said') say(letter.said, call)
        if (letter.kind === 'settled') resolve(letter.outcome)
      }
      this.#waiting.set(number, { hear })
      beat()
    })
    try {
      return unpack(await outcome)
    } finally {
      stopClock()
      this.#waiting.delete(number)
    }
  }

  #send(to: string, posted: PostedLetter): void {
    const { platform, observe } = this.#options.server
    platform.store
      .publish(topicOf(to), posted as unknown as Json) // Plain values.
      .catch((error: unknown) => observe({ kind: 'crashed', error, method: 'held call' }))
  }

  #hear(posted: Json): void {
    if (!isObject(posted) || typeof posted['from'] !== 'string' || !isObject(posted['letter'])) return // No node has said it.
    const { from, number, letter } = posted as unknown as PostedLetter // As published.
    if (letter.kind === 'resume' || letter.kind === 'waiting' || letter.kind === 'cancelled')
      this.#serve(from, number, letter)
    else this.#waiting.get(number)?.hear(letter)
  }

  #serve(from: string, number: number, letter: HeldLetter): void {
    const key = `${from}.${number}`
    const tell = (told: HeldLetter) => this.#send(from, { from: this.node, number, letter: told })
    const known = this.#working.get(key)
    if (letter.kind === 'cancelled') return known?.caller.abort(letter.reason)
    if (known === undefined && letter.kind === 'resume') this.#begin(key, letter, tell)
    else if (known === undefined) return tell({ kind: 'settled', outcome: GONE })
    else this.#stay(key, known)
    const outcome = known?.outcome
    tell(outcome === undefined ? { kind: 'heard' } : { kind: 'settled', outcome })
  }

  #begin(
    key: string,
    { held, answers, logLevel }: Extract<HeldLetter, { kind: 'resume' }>,
    tell: (letter: HeldLetter) => void,
  ): void {
    const caller = new CallerElsewhere({ answers, logLevel, say: (said) => tell({ kind: 'said', said }) })
    const work: WorkedOn = { caller, outcome: undefined, stopClock: () => {} }
    this.#working.set(key, work)
    this.#stay(key, work)
    void this.#options
      .resume(held, caller)
      .then(packOutput, packError)
      .then((outcome) => {
        work.outcome = outcome
        tell({ kind: 'settled', outcome })
      })
  }

  /** Whoever says nothing any more has gone, and its client with it. */
  #stay(key: string, work: WorkedOn): void {
    work.stopClock()
    work.stopClock = this.#options.server.platform.after(SILENCE_MS, () => {
      this.#working.delete(key)
      if (work.outcome === undefined) work.caller.abort()
    })
  }
}

function say(said: SaidElsewhere, call: Call): void {
  if (!('progress' in said)) return call.notify(said.method, said.params)
  const [progress, total, message] = said.progress
  passProgress({ progress, total, message }, call)
}

const GONE: SentOutcome = packError(
  new Fault(
    'invalidState',
    'Invalid requestState: the node on which the call was open has ended, make it again',
  ),
)

const topicOf = (node: string) => `upstream/held/${node}`
