import type { Id, Incoming, Request } from '../../kernel/index.ts'
import { requestsIn } from './underway.ts'

/** A line of the client's that waits for a child. */
export interface HeldLine {
  readonly line: string
  readonly incoming: Incoming
}

/** How long requests wait for new code before the old one answers them, or for any before they are refused. */
const HOLD_MS = 5000

/** As many wait; more than any host sends while somebody saves a file. */
const MOST = 1000

/** Where requests wait while the code that is to answer them is being loaded. */
export class WaitingRoom {
  readonly #tooLate: () => void
  #lines: HeldLine[] = []
  #clock: NodeJS.Timeout | undefined
  /** Whether there has ever been somebody to answer: whoever comes before that waits for as long as it takes. */
  #isOpen = false

  /** `tooLate` is called when the first has waited for long enough. */
  constructor(tooLate: () => void) {
    this.#tooLate = tooLate
  }

  get size(): number {
    return this.#lines.length
  }

  get isFull(): boolean {
    return this.#lines.length >= MOST
  }

  add(held: HeldLine): void {
    this.#lines.push(held)
    if (this.#isOpen) this.#clock ??= setTimeout(this.#tooLate, HOLD_MS)
  }

  /** A request that is cancelled while it waits never begins; tells whether it waited. */
  callOff(id: unknown): boolean {
    const at = this.#lines.findIndex(
      ({ incoming }) => incoming.kind === 'request' && incoming.id === (id as Id),
    )
    if (at >= 0) this.#lines.splice(at, 1)
    return at >= 0
  }

  /** Takes all, in the order in which they came. */
  empty(): readonly HeldLine[] {
    clearTimeout(this.#clock)
    this.#isOpen = true
    this.#clock = undefined
    const lines = this.#lines
    this.#lines = []
    return lines
  }
}

export function idsIn({ incoming }: HeldLine): readonly Id[] {
  return requestsIn(incoming).map(({ id }) => id)
}

/** A request as its client wrote it, but for the order of its members. */
export function holdRequest(incoming: Request): HeldLine {
  const { id, method, params } = incoming
  return { line: JSON.stringify({ jsonrpc: '2.0', id, method, params }), incoming }
}

export type IncomingBatch = Extract<Incoming, { kind: 'batch' }>

/** A batch without the answers in it; undefined where it has nothing else. */
export function holdQuestions(line: string, { entries }: IncomingBatch): HeldLine | undefined {
  const values: readonly unknown[] = JSON.parse(line)
  const rest = entries.filter(({ kind }) => kind !== 'response')
  if (rest.length === 0) return undefined
  const text = JSON.stringify(values.filter((_value, at) => entries[at]?.kind !== 'response'))
  return { line: text, incoming: { kind: 'batch', entries: rest } }
}
