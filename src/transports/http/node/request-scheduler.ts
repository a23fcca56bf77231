import type { SocketReading } from './socket-reading.ts'

/** How long requests are taken up at a stretch before whatever else there is has its turn. */
export const SLICE_MS = 2

/** How long a request may wait for lighter ones, in terms of what those of its client take. */
export const PATIENCE = 200

/** What the requests of a client count as that has asked for nothing yet, and at most: nobody waits for ever. */
export const HEAVY_MS = 0.5

/** A client whose requests may have to wait. */
export interface Scheduled {
  readonly socket: Pick<SocketReading, 'pause' | 'resume'>
  /** What its requests have taken of late, in milliseconds. */
  readonly cost: number
}

/** What waits, and until when lighter ones go before it. */
interface DueRequest {
  readonly due: number
  readonly run: () => void
}

/** Reads no more of a client until `run` has run and what it answers at once has left: Node hangs up on who has said all. */
export function unread(socket: Pick<SocketReading, 'pause' | 'resume'>, run: () => void): () => void {
  socket.pause()
  return () => {
    try {
      run()
    } finally {
      setImmediate(() => socket.resume())
    }
  }
}

/**
 * What a turn of the loop has no time for, taken up in later ones: who asks for little does not wait for all who ask
 * for much, and nobody for ever.
 */
export class RequestScheduler {
  readonly #flusher: LoopTurn
  readonly #now: () => number
  /** By when each is due. */
  readonly #waiting: DueRequest[] = []
  #since = 0
  #armed = false

  constructor(flusher: LoopTurn, now: () => number = () => performance.now()) {
    this.#flusher = flusher
    this.#now = now
  }

  /** When the first of those that wait is due. */
  get due(): number {
    return this.#waiting[0]?.due ?? Number.POSITIVE_INFINITY
  }

  wait(client: Scheduled, run: () => void): void {
    this.#add(client.cost, unread(client.socket, run))
  }

  /** For what is known to be much, whoever asks. */
  waitLast(run: () => void): void {
    this.#add(HEAVY_MS, run)
  }

  #add(cost: number, run: () => void): void {
    const due = this.#now() + PATIENCE * cost
    const before = this.#waiting.findLastIndex((one) => one.due <= due)
    this.#waiting.splice(before + 1, 0, { due, run })
    if (this.#armed) return
    this.#armed = true
    setImmediate(this.#begin)
  }

  readonly #begin = (): void => {
    this.#flusher.flush() // Nobody who has been answered waits for those who have not.
    this.#since = this.#now()
    this.#next()
  }

  readonly #next = (): void => {
    try {
      this.#waiting.shift()?.run()
    } finally {
      queueMicrotask(this.#later)
    }
  }

  /** What somebody has begun is part of the time that it takes, so whoever is next waits until it rests. */
  readonly #later = (): void => process.nextTick(this.#goOn)

  readonly #goOn = (): void => {
    const now = this.#now()
    this.#flusher.restedAt = now
    this.#armed = this.#waiting.length > 0
    if (!this.#armed) return
    if (now - this.#since < SLICE_MS) this.#next()
    else setImmediate(this.#begin)
  }
}

interface LoopTurn {
  /** When whatever was begun last came to rest. */
  restedAt: number
  flush(): void
}
