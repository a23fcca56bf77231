import {
  type Budgets,
  type Dialect,
  type Id,
  type Incoming,
  parse,
  type Refused,
} from '../../kernel/index.ts'
import { Lines } from './lines.ts'

/** How much may be read ahead of what is taken up. */
export type ReadingBudgets = Pick<Budgets, 'maxLineBytes' | 'maxReadAheadBytes' | 'maxReadAheadMessages'>

/** How lines are read. */
interface ReadingServer {
  readonly dialect: Dialect
  readonly budgets: Pick<Budgets, 'maxNesting' | 'maxBatchMessages' | 'maxIdBytes'>
}

type Line = string | Refused

interface WaitingLine {
  readonly incoming: Incoming
  readonly bytes: number
}

/** So much is parsed in one go: a little ahead is a tenth faster than each line in its turn. */
const PARSED_AHEAD = { characters: 16 * 1024, lines: 128 }

/** What a message takes beside its letters while it waits, roughly. */
const MESSAGE = 128

/** What a client has said and nobody has taken up yet. What is far from its turn is not looked at. */
export class Inbox {
  readonly #server: ReadingServer
  readonly #budgets: ReadingBudgets
  readonly #reader: Lines
  #chunks: (readonly Line[])[] = []
  /** Where in the first chunk the next line stands. */
  #next = 0
  /** What that line and those behind it say, the next one last. */
  #parsed: Incoming[] = []
  #lines = 0
  /** Calls that found no place, in the order in which they came. */
  readonly #waiting = new Set<WaitingLine>()
  /** The same by their ids, which are unique unless the client errs. */
  readonly #byId = new Map<Id, WaitingLine[]>()
  #bytes = 0

  constructor(server: ReadingServer, budgets: ReadingBudgets) {
    this.#server = server
    this.#budgets = budgets
    this.#reader = new Lines(budgets.maxLineBytes, server.budgets.maxIdBytes)
  }

  get bytes(): number {
    return this.#bytes
  }

  /** What all of it takes, with the line that is arriving, roughly. */
  get weight(): number {
    return this.#bytes + this.#reader.pendingBytes + this.messages * MESSAGE
  }

  get messages(): number {
    return this.#lines + this.#waiting.size
  }

  /** Whether no more should be read for now. */
  get full(): boolean {
    const { maxReadAheadBytes, maxReadAheadMessages } = this.#budgets
    return this.#bytes >= maxReadAheadBytes || this.messages >= maxReadAheadMessages
  }

  /** The length of the longest line so far. */
  get longest(): number {
    return this.#reader.longest
  }

  /** Nothing means that the client has closed its end. */
  push(chunk: Buffer | undefined): void {
    const lines = chunk === undefined ? this.#reader.end() : this.#reader.push(chunk)
    if (lines.length === 0) return
    this.#chunks.push(lines)
    this.#lines += lines.length
    for (const line of lines) this.#bytes += sizeOf(line)
  }

  /** The next message to take up. While there is no room for calls, everything else overtakes them. */
  take(room: boolean): Incoming | undefined {
    if (room && this.#waiting.size > 0) for (const first of this.#waiting) return this.#takeWaiting(first)
    for (let chunk = this.#chunks[0]; chunk !== undefined; chunk = this.#chunks[0]) {
      const incoming = this.#parsed.pop() ?? this.#parse(chunk)
      const bytes = sizeOf(chunk[this.#next++])
      this.#lines--
      if (this.#next === chunk.length) {
        this.#chunks.shift()
        this.#next = 0
      }
      if (room || !takesRoom(incoming)) {
        this.#bytes -= bytes
        if (incoming.kind === 'notification') this.#callOff(incoming)
        return incoming
      }
      this.#wait({ incoming, bytes })
    }
    return undefined
  }

  /** Gives the next line's message and keeps those of some lines behind it. */
  #parse(chunk: readonly Line[]): Incoming {
    const { dialect, budgets: limits } = this.#server
    const parsed: Incoming[] = []
    let ahead = 0
    const end = Math.min(chunk.length, this.#next + PARSED_AHEAD.lines)
    for (let at = this.#next; at < end && ahead < PARSED_AHEAD.characters; at++) {
      const line = chunk[at] as Line
      ahead += sizeOf(line)
      parsed.push(typeof line === 'string' ? parse(line, dialect, limits) : line)
    }
    this.#parsed = parsed.reverse()
    return parsed.pop() as Incoming // No chunk is empty.
  }

  #wait(waiting: WaitingLine): void {
    this.#waiting.add(waiting)
    const { incoming } = waiting
    if (incoming.kind !== 'request') return
    const others = this.#byId.get(incoming.id)
    if (others === undefined) this.#byId.set(incoming.id, [waiting])
    else others.push(waiting)
  }

  /** Only ever the first of its id. */
  #takeWaiting(waiting: WaitingLine): Incoming {
    this.#waiting.delete(waiting)
    this.#bytes -= waiting.bytes
    if (waiting.incoming.kind === 'request') this.#forgetFirst(waiting.incoming.id)
    return waiting.incoming
  }

  /** A call that is cancelled while it waits never begins. */
  #callOff({ method, params }: Extract<Incoming, { kind: 'notification' }>): void {
    if (method !== 'notifications/cancelled') return
    const id = params?.['requestId'] as Id // Any other value finds no call.
    const waiting = this.#byId.get(id)?.[0]
    if (waiting !== undefined) this.#takeWaiting(waiting)
  }

  #forgetFirst(id: Id): void {
    const waiting = this.#byId.get(id)
    waiting?.shift()
    if (waiting?.length === 0) this.#byId.delete(id)
  }
}

function sizeOf(line: Line | undefined): number {
  return typeof line === 'string' ? line.length : 0
}

/** What is done before the next message is looked at takes none: a client may need it to free a place. */
function takesRoom(incoming: Incoming): boolean {
  // What was asked for before it is still to be done.
  if (incoming.kind === 'notification') return incoming.method === 'exit'
  if (incoming.kind === 'request') return incoming.method !== 'ping' && incoming.method !== 'initialize'
  return incoming.kind === 'batch'
}
