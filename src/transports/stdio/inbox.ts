import { type Dialect, type Incoming, parse, type Refused } from '../../kernel/index.ts'

type Line = string | Refused

interface Waiting {
  readonly incoming: Incoming
  readonly bytes: number
}

/** What a client has said and nobody has taken up yet. A line is not looked at before its turn. */
export class Inbox {
  readonly #dialect: Dialect
  #chunks: (readonly Line[])[] = []
  /** Where in the first chunk the next line stands. */
  #next = 0
  #lines = 0
  /** Calls that found no place, in the order in which they came. */
  readonly #waiting = new Set<Waiting>()
  #bytes = 0

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  get bytes(): number {
    return this.#bytes
  }

  get messages(): number {
    return this.#lines + this.#waiting.size
  }

  push(lines: readonly Line[]): void {
    if (lines.length === 0) return
    this.#chunks.push(lines)
    this.#lines += lines.length
    for (const line of lines) this.#bytes += sizeOf(line)
  }

  /** The next message to take up. While there is no room for calls, everything else overtakes them. */
  take(room: boolean): Incoming | undefined {
    if (room) for (const first of this.#waiting) return this.#takeWaiting(first)
    for (let line = this.#nextLine(); line !== undefined; line = this.#nextLine()) {
      const incoming = typeof line === 'string' ? parse(line, this.#dialect) : line
      const bytes = sizeOf(line)
      if (room || !takesRoom(incoming)) {
        this.#bytes -= bytes
        this.#callOff(incoming)
        return incoming
      }
      this.#waiting.add({ incoming, bytes })
    }
    return undefined
  }

  #nextLine(): Line | undefined {
    const [first] = this.#chunks
    if (first === undefined) return undefined
    const line = first[this.#next++]
    this.#lines--
    if (this.#next === first.length) {
      this.#chunks.shift()
      this.#next = 0
    }
    return line
  }

  #takeWaiting(waiting: Waiting): Incoming {
    this.#waiting.delete(waiting)
    this.#bytes -= waiting.bytes
    return waiting.incoming
  }

  /** A call that is cancelled while it waits never begins. */
  #callOff(incoming: Incoming): void {
    if (incoming.kind !== 'notice' || incoming.method !== 'notifications/cancelled') return
    for (const waiting of this.#waiting) {
      const { kind } = waiting.incoming
      if (kind === 'request' && waiting.incoming.id === incoming.params?.['requestId']) {
        this.#takeWaiting(waiting)
        return
      }
    }
  }
}

function sizeOf(line: Line): number {
  return typeof line === 'string' ? line.length : 0
}

/** What is done before the next message is looked at takes none: a client may need it to free a place. */
function takesRoom(incoming: Incoming): boolean {
  // What was asked for before it is still to be done.
  if (incoming.kind === 'notice') return incoming.method === 'exit'
  if (incoming.kind === 'request') return incoming.method !== 'ping' && incoming.method !== 'initialize'
  return incoming.kind === 'batch'
}
