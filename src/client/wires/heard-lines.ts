import type { Readable } from 'node:stream'
import type { Refused } from '../../kernel/index.ts'
import { LARGE, ownTurn } from '../../process/own-turn.ts'
import { Lines } from '../../transports/stdio/lines.ts'
import type { Arriving, MessageLimits } from '../intake.ts'

/** More lines at once than a server has reason to write. */
const MANY_LINES = 500

/** One line can be very many messages, a message for every two letters of a batch. */
const MANY_BATCHED_LETTERS = 2000

const NEWLINE = 10

export interface HeardLinesOptions {
  readonly stream: Readable | null
  readonly limits: MessageLimits
  /** Whoever gives way where there is no room for what comes. */
  readonly arriving: Arriving
  readonly hear: (lines: readonly (string | Refused)[]) => void
}

/** What a stream says, line by line. A line that is large has a turn of its own, and nothing after it is heard before. */
export class HeardLines {
  readonly #options: HeardLinesOptions
  readonly #lines: Lines
  /** What has come and was not heard: Node reads on when a child exits, whoever has paused its stdout. */
  readonly #queue: Buffer[] = []
  #queuedBytes = 0
  /** Lines that have come and were not heard. */
  #unheard: readonly (string | Refused)[] = []
  #turn: Promise<void> | undefined
  #isEnding = false
  #isOver = false

  constructor(options: HeardLinesOptions) {
    const { stream, limits } = options
    this.#options = options
    this.#lines = new Lines(limits.maxMessageBytes)
    stream?.on('data', (chunk: Buffer) => this.#receive(chunk))
  }

  /** Whether something that has come waits for its turn. */
  get isWaiting(): boolean {
    return this.#turn !== undefined
  }

  /** Runs when nothing waits any more. */
  whenHeard(run: () => void): void {
    if (this.#turn === undefined) run()
    else void this.#turn.then(() => this.whenHeard(run))
  }

  /** Whoever writes has ended: what is left in the pipe is read at once, since nobody knows for how long it can be. */
  readOn(): void {
    this.#isEnding = true
    this.#options.stream?.resume()
  }

  /** Nothing of it counts any more. */
  letGo(): void {
    this.#isOver = true
    this.#hold()
  }

  #receive(chunk: Buffer): void {
    this.#queue.push(chunk)
    this.#queuedBytes += chunk.length
    if (this.#turn === undefined) this.#takeUp()
    else this.#hold()
  }

  /** Hears what has come, up to what needs a turn of its own. */
  #takeUp(): void {
    for (;;) {
      if (this.#hearSome()) return this.#inTurn(() => {})
      const chunk = this.#queue[0]
      if (chunk === undefined) return
      if (this.#endsLarge(chunk)) return this.#inTurn(() => this.#read(chunk))
      this.#read(chunk)
    }
  }

  #endsLarge(chunk: Buffer): boolean {
    if (this.#lines.pendingBytes + chunk.length <= LARGE || !chunk.includes(NEWLINE)) return false
    this.#hold()
    return true
  }

  /** Node would read on and on before anything else has its turn, the clocks of requests too. */
  #inTurn(run: () => void): void {
    const { stream } = this.#options
    if (!this.#isEnding) stream?.pause()
    this.#turn = ownTurn().then(() => {
      this.#turn = undefined
      run()
      this.#takeUp()
      if (!this.isWaiting) stream?.resume()
    })
  }

  #read(chunk: Buffer): void {
    this.#queue.shift()
    this.#queuedBytes -= chunk.length
    this.#unheard = this.#lines.push(chunk)
  }

  /** Hears the lines that are there, up to the batch that makes them many; gives whether that was enough for a turn. */
  #hearSome(): boolean {
    const lines = this.#unheard
    let letters = 0
    const last = lines.findIndex((line) => {
      letters += lettersOfBatch(line)
      return letters > MANY_BATCHED_LETTERS
    })
    const some = last < 0 ? lines : lines.slice(0, last + 1)
    this.#unheard = lines.slice(some.length)
    if (some.length > 0) this.#options.hear(some)
    this.#hold()
    return last >= 0 || some.length > MANY_LINES
  }

  #hold(): void {
    const { limits, arriving } = this.#options
    limits.intake?.hold(arriving, this.#isOver ? 0 : this.#lines.pendingBytes + this.#queuedBytes)
  }
}

function lettersOfBatch(line: string | Refused): number {
  return typeof line === 'string' && /^\s*\[/.test(line) ? line.length : 0
}
