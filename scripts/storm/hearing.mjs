import { roomUri } from './rooms.mjs'

/** How long a change may take to be heard, once whoever listens is connected. */
export const HEARD_MS = 8000

const LISTS = 'the list of tools'

/** What one client was told of changes, and when it was there to be told. */
export class Hearing {
  revision
  room
  /** When its stream was open: `{ from, until?, resumed }`; nothing may be missed before one that was resumed. */
  spans = []
  heard = []

  constructor({ revision, room }) {
    this.revision = revision
    this.room = room
  }

  opened({ resumed = false } = {}) {
    this.broke()
    this.spans.push({ from: Date.now(), until: undefined, resumed })
  }

  broke() {
    const last = this.spans.at(-1)
    if (last !== undefined) last.until ??= Date.now()
  }

  /** Takes a notification, if it is of a change. */
  tell({ method, params }) {
    const at = Date.now()
    if (method === 'notifications/resources/updated') this.heard.push({ what: params.uri, at })
    if (method === 'notifications/tools/list_changed') this.heard.push({ what: LISTS, at })
  }
}

/** Which changes were made, by the word of whoever made them. */
export class Changes {
  #made = []
  /** With those of which nobody knows whether they were. */
  #tried = []

  made(what, op) {
    const change = { what: what ?? LISTS, from: op.begun, until: op.ended }
    this.#tried.push(change)
    if (op.outcome === 'answered') this.#made.push(change)
  }

  get count() {
    return this.#made.length
  }

  /** Looks at every change that every listener was owed; gives how many those were. */
  judge(ledger, hearings) {
    let owed = 0
    for (const hearing of hearings) {
      owed += this.#judgeHeard(ledger, hearing)
      for (const span of hearing.spans) this.#judgeTold(ledger, hearing, span)
    }
    return owed
  }

  #judgeHeard(ledger, hearing) {
    let owed = 0
    for (const change of this.#made) {
      if (ledger.isAway(change.from - HEARD_MS, change.until + HEARD_MS)) continue
      if (change.what !== LISTS && change.what !== roomUri(hearing.room)) continue
      const deadline = deadlineOf(change, hearing)
      if (deadline === undefined) continue
      owed++
      const isIt = ({ what, at }) => what === change.what && at >= change.from && at <= deadline
      if (hearing.heard.some(isIt)) continue
      const { revision } = hearing
      const note = `${change.what}${brokenIn(change, hearing)}`
      ledger.wrong('unheard', { kind: 'change', revision, note, at: change.from })
    }
    return owed
  }

  /**
   * While its stream was open, a listener must not have been told more often than something may have changed; one that
   * comes back may be told once of everything, since nobody knows what it has missed.
   */
  #judgeTold(ledger, { revision, heard, spans }, span) {
    const { from, until = Number.POSITIVE_INFINITY } = span
    if (ledger.isAway(from, until)) return
    const spare = span === spans[0] ? 0 : 1
    for (const what of new Set(heard.map((one) => one.what))) {
      const told = heard.filter((one) => one.what === what && one.at >= from && one.at <= until).length
      const tried = this.#tried.filter(
        (one) => one.what === what && one.until + HEARD_MS >= from && one.from <= until,
      ).length
      if (told > tried + spare)
        ledger.wrong('told', { kind: 'change', revision, note: `${what}: told ${told} times of ${tried}` })
    }
  }
}

/** Until when a listener must have heard of a change; undefined if it was not there, or has left since. */
function deadlineOf({ from, until }, { spans }) {
  const open = spans.findIndex((span) => span.from < from && (span.until ?? Number.POSITIVE_INFINITY) > from)
  const first = open < 0 ? spans.findIndex((span) => span.from > from && span.resumed) : open
  if (first < 0) return undefined
  let deadline = until + HEARD_MS
  for (const [place, span] of spans.slice(first).entries()) {
    if (span.from > deadline || (place > 0 && !span.resumed)) break
    deadline = Math.max(deadline, span.from + HEARD_MS)
    if (span.until === undefined || span.until > deadline) return deadline
  }
  // It was broken when it was to be told, and had no time to hear after it came back.
  return undefined
}

/** What may have to do with it that a change was not heard. */
function brokenIn({ from, until }, { spans }) {
  const broken = spans.find(
    (span) => span.until !== undefined && span.until > from - 1000 && span.until < until + HEARD_MS,
  )
  if (broken !== undefined) return `, its stream broke ${broken.until - from} ms after it`
  const since = spans.findLast((span) => span.from < from)
  return `, ${from - since.from} ms after it began to listen`
}
