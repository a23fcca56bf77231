import type { Socket } from 'node:net'
import type { Flusher } from './response.ts'

/** How long requests are taken up at a stretch before whatever else there is has its turn. */
export const SLICE_MS = 2

/** Whoever has asked for nothing for so long goes before those who keep asking. */
const QUIET_MS = 10

/** A client whose requests wait: when one was last taken up. */
export interface Scheduled {
  readonly socket: Pick<Socket, 'pause' | 'resume'>
  servedAt: number
}

/** Reads no more of a client until `run` has run and what it answers at once has left: Node hangs up on who has said all. */
export function unread(socket: Scheduled['socket'], run: () => void): () => void {
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
 * for much, since those who have been quiet come first.
 */
export class RequestScheduler {
  readonly #flusher: Flusher
  readonly #now: () => number
  readonly #quiet: (() => void)[] = []
  readonly #busy: (() => void)[] = []
  #armed = false

  constructor(flusher: Flusher, now: () => number = () => performance.now()) {
    this.#flusher = flusher
    this.#now = now
  }

  wait(client: Scheduled, run: () => void): void {
    const now = this.#now()
    const queue = now - client.servedAt > QUIET_MS ? this.#quiet : this.#busy
    client.servedAt = now
    this.#add(queue, unread(client.socket, run))
  }

  /** For what is known to be much, whoever asks. */
  waitLast(run: () => void): void {
    this.#add(this.#busy, run)
  }

  #add(queue: (() => void)[], run: () => void): void {
    queue.push(run)
    this.#arm()
  }

  /** Once, whoever is added while others are taken up. */
  #arm(): void {
    if (this.#armed) return
    this.#armed = true
    setImmediate(this.#next)
  }

  /** Those who keep asking are not put off for ever either. */
  readonly #next = (): void => {
    const since = this.#now()
    this.#armed = false
    this.#flusher.busySince = 0
    try {
      while (this.#quiet.length > 0 && this.#now() - since < SLICE_MS) this.#quiet.shift()?.()
      do this.#busy.shift()?.()
      while (this.#busy.length > 0 && this.#now() - since < SLICE_MS)
    } finally {
      if (this.#quiet.length + this.#busy.length > 0) this.#arm() // What has thrown was the last of this turn.
    }
  }
}
