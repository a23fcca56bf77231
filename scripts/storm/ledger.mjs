/** Whoever waits longer than this for the end of something that needs no time of its own waits for ever. */
export const PATIENCE_MS = 30_000

/** Outcomes that must not be: what each means to the client. */
export const WRONGS = {
  lost: 'acknowledged, and never answered',
  gap: 'an event before the answer never came',
  duplicate: 'came twice',
  disorder: 'came out of order',
  hung: 'neither answer nor error in time',
  unexplained: 'an error though nothing had died',
  wrong: 'the answer to something else',
  uncancelled: 'answered although it had been cancelled',
  session: 'a session that was there is not known any more',
  undead: 'a session that was ended goes on',
  task: 'a task that was acknowledged is gone, or ended as it must not',
  unheard: 'a change that a listener was not told of',
  told: 'a change that a listener was told of twice',
}

/** What may come of a call: its answer, its end by its client, or the one error that is owed to it. */
export const OUTCOMES = ['answered', 'cancelled', 'died', 'away']

/** Everything that clients have asked for, and what became of it. */
export class Ledger {
  /** Spans in which the engine was away: `{ from, until }`. */
  outages = []
  ops = new Set()
  settled = []
  wrongs = []
  /** How long things took: `{ at, ms, kind }`. */
  samples = []
  counts = new Map()

  begin(kind, revision, ownMs = 0) {
    const op = new Op(this, { kind, revision, ownMs })
    this.ops.add(op)
    return op
  }

  count(what, by = 1) {
    this.counts.set(what, (this.counts.get(what) ?? 0) + by)
  }

  wrong(what, { kind, revision, note, at = Date.now() }) {
    this.wrongs.push({ what, kind, revision, note, at })
  }

  /** Gives up on whatever waits too long. */
  sweep(now = Date.now()) {
    for (const op of this.ops) {
      if (now - op.begun > PATIENCE_MS + op.ownMs && !this.isAway(op.begun, now))
        op.settle('hung', op.lastSeen)
      else if (now - op.begun > 3 * PATIENCE_MS + op.ownMs) op.settle('hung', op.lastSeen)
    }
  }

  /** Whether the engine was away at any time in between; it takes a moment until everybody is back. */
  isAway(from, until) {
    return this.outages.some((outage) => outage.from <= until && from <= (outage.until ?? until) + BACK_MS)
  }
}

/** So long after an engine is back it may still be felt. */
const BACK_MS = 5000

/** One thing that a client asked for; it is settled once. */
export class Op {
  kind
  revision
  ownMs
  begun = Date.now()
  /** The starts of nodes that its end may have come with. */
  lives = new Set()
  outcome
  /** What it was last seen doing. */
  lastSeen = 'sent'
  result
  error
  /** Tells of an error whether it is the answer that was to be expected. */
  accepts
  #ledger
  #done
  #finished = new Promise((resolve) => (this.#done = resolve))
  #steps = new Set()
  #lastStep = 0

  constructor(ledger, { kind, revision, ownMs }) {
    this.#ledger = ledger
    this.kind = kind
    this.revision = revision
    this.ownMs = ownMs
  }

  get done() {
    return this.#finished
  }

  ran(life) {
    if (life !== undefined) this.lives.add(life)
  }

  settle(outcome, note = '') {
    if (this.outcome !== undefined) return
    this.outcome = outcome
    this.ended = Date.now()
    const ledger = this.#ledger
    ledger.ops.delete(this)
    ledger.settled.push({
      kind: this.kind,
      revision: this.revision,
      outcome,
      at: this.begun,
      ms: this.ended - this.begun,
      note,
    })
    if (outcome in WRONGS) ledger.wrong(outcome, { ...this.#name, note })
    this.#done(this)
  }

  get #name() {
    return { kind: this.kind, revision: this.revision }
  }

  /** A reply has come: an answer, or an error which somebody's death must explain. */
  reply(message) {
    if (this.outcome !== undefined) {
      const late = `a ${message.error ? 'further error' : 'further reply'} after it had ${this.outcome}`
      if (this.outcome !== 'hung' && !this.abandoned)
        this.#ledger.wrong('duplicate', { ...this.#name, note: late })
      return
    }
    if (message.error !== undefined) {
      this.error = message.error
      if (this.accepts?.(message.error)) return this.settle('answered', message.error.message)
      return this.fail(`error ${message.error.code}: ${message.error.message}`)
    }
    this.result = message.result
    this.settle('answered')
  }

  /** It will not be answered. */
  fail(note) {
    const now = Date.now()
    this.note = note
    if ([...this.lives].some((life) => diedIn(life, this.begun))) return this.settle('died', note)
    if (this.#ledger.isAway(this.begun, now)) return this.settle('away', note)
    this.settle('unexplained', `${note} (${[...this.lives].map(({ name }) => name).join(', ') || 'no node'})`)
  }

  /** A step has been told of; every step is told of once, and in order. */
  step(number) {
    const wrong = (what, note) => this.#ledger.wrong(what, { ...this.#name, note })
    if (this.outcome !== undefined && this.outcome !== 'hung' && !this.abandoned)
      wrong('disorder', `step ${number} after the end`)
    if (this.#steps.has(number)) wrong('duplicate', `step ${number}`)
    else if (number < this.#lastStep) wrong('disorder', `step ${number} after ${this.#lastStep}`)
    this.#steps.add(number)
    this.#lastStep = Math.max(this.#lastStep, number)
    this.lastSeen = `step ${number}`
  }

  /** All steps up to the last must have come before the answer. */
  checkSteps(steps) {
    const missing = steps - this.#steps.size
    if (missing > 0)
      this.#ledger.wrong('gap', {
        ...this.#name,
        note: `${missing} of ${steps} steps missing${this.resumed ? ' (resumed)' : ''}`,
      })
  }
}

/** On a busy machine its clients hear of a death this much later, and may begin something on a dead connection. */
const HEARD_OF_MS = 1000

/** Whether a node ended after this time. */
function diedIn({ killed, gone = Number.POSITIVE_INFINITY }, time) {
  return killed !== undefined && gone >= time - HEARD_OF_MS
}
