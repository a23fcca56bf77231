import { LONGEST_MS } from '../kernel/index.ts'
import { type Change, everything, fromFilter, isWanted, toChange, toFilter, type Wanted } from './changes.ts'
import type { ClientConnection } from './connection.ts'
import { ClientError } from './errors.ts'
import type { Limits } from './limits.ts'
import { Pace, STREAM_PACE } from './pace.ts'
import type { Notification } from './requesting.ts'
import { tasksDeclared } from './tasks-declared.ts'
import type { HeaderMap } from './wire.ts'
import { pause } from './wires/retrying.ts'
import { follow } from './wires/stop.ts'

/** Whether a server has told of a change, or there may have been one while it could not. */
type Certainty = 'told' | 'possible'

export type Hear = (change: Change, certainty: Certainty) => void

/** Being told of changes, until either side ends it. */
export interface Listening {
  /** What the server has agreed to tell of. */
  readonly honoured: Wanted
  /** Why it ended: undefined where somebody ended it, an error where it broke. */
  readonly closed: Promise<Error | undefined>
  close(): Promise<void>
}

export interface ListeningOptions {
  readonly timeoutMs: number
  readonly limits: Limits
}

/** Being told of changes, in the two ways there are. */
export class Subscriptions {
  readonly #connection: ClientConnection
  readonly #options: ListeningOptions
  readonly #hearers = new Set<Hearer>()

  /** A client has them. @internal */
  constructor(connection: ClientConnection, options: ListeningOptions) {
    this.#connection = connection
    this.#options = options
  }

  listen(wanted: Wanted, hear: Hear, headers: HeaderMap = {}): Promise<Listening> {
    const hearer = { wanted, hear, headers }
    return this.#connection.revision.opening === 'handshake' ? this.#subscribe(hearer) : this.#ask(hearer)
  }

  /** What a handshake server tells everybody. */
  tell(notification: Notification): void {
    const change = this.#hearers.size === 0 ? undefined : toChange(notification)
    if (change === undefined) return
    for (const { wanted, hear } of [...this.#hearers]) if (isWanted(change, wanted)) hear(change, 'told')
  }

  /** A new session knows nothing of what the old one was to tell, and what changed in between nobody told. */
  async renew(): Promise<void> {
    const asked = [...this.#hearers].flatMap(({ wanted, headers }) =>
      (wanted.uris ?? []).map((uri) => [JSON.stringify([uri, headers]), { uri, headers }] as const),
    )
    for (const { uri, headers } of new Map(asked).values())
      await this.#connection.request('resources/subscribe', { uri }, { headers })
    for (const { wanted, hear } of [...this.#hearers])
      for (const change of everything(wanted)) hear(change, 'possible')
  }

  async #subscribe(hearer: Hearer): Promise<Listening> {
    const { wanted, headers } = hearer
    for (const uri of wanted.uris ?? []) {
      if (!this.#isHeard(uri, headers))
        await this.#connection.request('resources/subscribe', { uri }, { headers })
    }
    this.#hearers.add(hearer)
    let end: (why: Error | undefined) => void = () => {}
    const closed = new Promise<Error | undefined>((resolve) => {
      end = resolve
    })
    const stay = this.#connection.whenOver((error) => {
      if (this.#hearers.delete(hearer)) end(this.#connection.signal.aborted ? undefined : error)
    })
    const close = async () => {
      stay()
      if (!this.#hearers.delete(hearer)) return
      end(undefined)
      // A session has one subscription to each, whoever asked for it.
      const unheard = (wanted.uris ?? []).filter((uri) => this.#hearersOf(uri).length === 0)
      if (this.#connection.isOver) return
      for (const uri of unheard) await this.#connection.request('resources/unsubscribe', { uri }, { headers })
    }
    return { honoured: wanted, closed, close }
  }

  #isHeard(uri: string, headers: HeaderMap): boolean {
    const who = JSON.stringify(headers)
    return this.#hearersOf(uri).some((one) => JSON.stringify(one.headers) === who)
  }

  #hearersOf(uri: string): readonly Hearer[] {
    return [...this.#hearers].filter(({ wanted }) => wanted.uris?.includes(uri))
  }

  /** A request that stays open, and is made again when the way to the server breaks. */
  async #ask(hearer: Hearer): Promise<Listening> {
    const stop = new AbortController()
    const { signal } = stop
    const release = follow(stop, this.#connection.signal)
    let closed: Promise<Error | undefined> = Promise.resolve(undefined)
    let honoured: Wanted = {}
    await new Promise<void>((resolve, reject) => {
      const late = new ClientError('timed-out', 'The server did not acknowledge subscriptions/listen')
      const { timeoutMs } = this.#options
      const clock = setTimeout(() => stop.abort(late), Math.min(timeoutMs, LONGEST_MS))
      const acknowledge = (agreed: Wanted) => {
        clearTimeout(clock)
        honoured = agreed
        resolve()
      }
      closed = this.#stay({ ...hearer, signal, acknowledge }).then(
        () => undefined,
        (error: Error) => error,
      )
      void closed.then((error) => {
        clearTimeout(clock)
        release()
        reject(
          error ??
            signal.reason ??
            new ClientError('refused', 'The server ended subscriptions/listen at once'),
        )
      })
    })
    return {
      get honoured() {
        return honoured // Asked again, a server may agree to something else.
      },
      closed,
      close: async () => {
        stop.abort()
        await closed
      },
    }
  }

  async #stay({ wanted, hear, headers, signal, acknowledge }: Staying): Promise<void> {
    let acknowledged: Wanted | undefined
    let tries = 0
    const pace = new Pace(STREAM_PACE)
    const onNotification = (notification: Notification) => {
      tries = 0
      if (notification.method === 'notifications/subscriptions/acknowledged') {
        pace.done() // Whoever agrees and breaks off is asked less and less often.
        if (acknowledged !== undefined)
          for (const change of everything(acknowledged)) hear(change, 'possible')
        acknowledged = fromFilter(notification.params['notifications'])
        return acknowledge(acknowledged)
      }
      const change = toChange(notification)
      if (change !== undefined && acknowledged !== undefined) hear(change, 'told')
    }
    const params = { notifications: toFilter(wanted) }
    const declared = wanted.tasks === undefined ? {} : tasksDeclared(this.#connection)
    const options = { signal, headers, onNotification, timeoutMs: Number.POSITIVE_INFINITY, ...declared }
    for (;;) {
      try {
        await this.#connection.request('subscriptions/listen', params, options)
        return
      } catch (error) {
        if (signal.aborted) return
        const broken =
          error instanceof ClientError && (error.reason === 'lost' || error.reason === 'unreachable')
        const mayAgain = broken && acknowledged !== undefined && !this.#connection.isOver
        if (!mayAgain || ++tries > this.#options.limits.maxReconnects) throw error
        await pause(pace.next(), signal).catch(() => {}) // The request after it says why.
      }
    }
  }
}

/** Whoever hears, and by which headers the server is told who that is. */
interface Hearer {
  readonly wanted: Wanted
  readonly hear: Hear
  readonly headers: HeaderMap
}

interface Staying extends Hearer {
  readonly signal: AbortSignal
  readonly acknowledge: (agreed: Wanted) => void
}
