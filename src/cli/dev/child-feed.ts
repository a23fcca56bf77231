import type { PassingMessage } from '../../console/console.ts'
import { shortenSession } from '../../console/conversations.ts'
import type { ConsoleMessage } from '../../console/events.ts'
import type { KeptMessage } from '../../console/kept-messages.ts'
import { messageOf } from '../../console/passing.ts'
import { isObject, type JsonObject, type Request } from '../../kernel/index.ts'
import { errorAnswer } from './error-answer.ts'
import { REPLAY_ID } from './replay.ts'

/** A request of a client's that was handed to a child, and what its client is told instead of an answer. */
export interface LostRequest {
  readonly request: Request
  readonly transport: 'stdio' | 'http'
  readonly session?: string | undefined
  readonly error: string
  /** When it was handed on, as `performance.now()` tells it. */
  readonly since: number
}

/** What children have in common: the client at the pipe stays, and nothing is called by a name twice. */
export class FeedNames {
  #pipe: string | undefined
  #children = 0
  #lost = 0

  /** What the conversation on the pipe is called, whichever child holds it: as it was called first. */
  pipe(name: string): string {
    this.#pipe ??= name
    return this.#pipe
  }

  /** The number of the child that serves next. */
  nextChild(): number {
    return ++this.#children
  }

  /** A conversation of which nothing was told before it was lost. */
  nextLost(): string {
    return `lost-${++this.#lost}`
  }
}

interface AskedMessage extends Pick<ConsoleMessage, 'connection' | 'transport' | 'revision'> {
  readonly id: unknown
  readonly method: unknown
  isOpen: boolean
}

/** The requests of a child that are remembered, so that what it leaves unanswered is known by its conversation. */
const MOST_ASKED = 1000

/** How a child counts the conversations that have no session. */
const COUNTED = /^c\d{1,6}$/

/** What one child tells its console, in the words of all children. */
export class ChildFeed {
  readonly #names: FeedNames
  readonly #number: number
  /** What the child calls the conversation on its pipe. */
  #pipe: string | undefined
  #isReplaying = false
  #last = 0
  readonly #asked: AskedMessage[] = []

  constructor(names: FeedNames) {
    this.#names = names
    this.#number = names.nextChild()
  }

  /** The number, as the child counts, of the message that it has told last. */
  get last(): number {
    return this.#last
  }

  /** A message as it is kept; undefined where it is no client's, but what the next child is told of one. */
  take({ seq, message, ...told }: ConsoleMessage): Omit<KeptMessage, 'seq'> | undefined {
    this.#last = seq
    if (told.transport === 'stdio') {
      this.#pipe = told.connection
      if (this.#isReplay(message, told.direction)) return undefined
    }
    const renamed = { ...told, connection: this.nameOf(told.connection) }
    for (const one of Array.isArray(message) ? message : [message])
      if (isObject(one)) this.#remember(one, renamed)
    return { ...renamed, text: JSON.stringify(message) }
  }

  /** What a conversation of this child is called among those of all. */
  nameOf(connection: string): string {
    const name = COUNTED.test(connection) && this.#number > 1 ? `${this.#number}-${connection}` : connection
    return connection === this.#pipe ? this.#names.pipe(name) : name
  }

  /** What is to be seen of a request that will not be answered: the error, after the request where that was not told. */
  lose({ request, transport, session, error, since }: LostRequest): readonly PassingMessage[] {
    const known = session === undefined ? this.#pipeOf(transport) : shortenSession(session)
    const asked = this.#find(request, transport, known)
    const { connection, revision } = asked ?? {
      connection: known ?? this.#names.nextLost(),
      revision: null,
    }
    const told = { connection, transport, revision }
    const answer: PassingMessage = {
      ...told,
      direction: 'out',
      printed: JSON.stringify(errorAnswer(request.id, error)),
      ms: performance.now() - since,
    }
    if (asked !== undefined) return [answer]
    return [{ ...told, direction: 'in', printed: JSON.stringify(messageOf(request)) }, answer]
  }

  #pipeOf(transport: LostRequest['transport']): string | undefined {
    return transport === 'stdio' ? this.#names.pipe('stdio') : undefined
  }

  /** Ids mean something within a conversation alone; where that is not known, it is one that still waits. */
  #find({ id, method }: Request, transport: string, known: string | undefined): AskedMessage | undefined {
    const found = this.#asked.findLast(
      (one) =>
        one.id === id &&
        one.method === method &&
        one.transport === transport &&
        (known === undefined ? one.isOpen : one.connection === known),
    )
    if (found !== undefined) found.isOpen = false
    return found
  }

  #remember(message: JsonObject, told: Omit<ConsoleMessage, 'seq' | 'message'>): void {
    const { id, method } = message
    const { connection, transport, revision, direction } = told
    if (id === undefined) return
    if (direction === 'in' && method !== undefined) {
      this.#asked.push({ id, method, connection, transport, revision, isOpen: true })
      if (this.#asked.length > MOST_ASKED) this.#asked.shift()
    }
    if (direction === 'in' || method !== undefined) return
    const asked = this.#asked.findLast((one) => one.id === id && one.connection === connection)
    if (asked !== undefined) asked.isOpen = false
  }

  /** What a client had agreed on with the child before is said to the next one before anything else. */
  #isReplay(message: unknown, direction: ConsoleMessage['direction']): boolean {
    const id = isObject(message) ? message['id'] : undefined
    const isOwn = typeof id === 'string' && id.startsWith(REPLAY_ID)
    if (isOwn) this.#isReplaying = direction === 'in' || id !== REPLAY_ID
    return isOwn || (this.#isReplaying && direction === 'in')
  }
}
