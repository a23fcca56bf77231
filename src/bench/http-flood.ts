import type { Buffer } from 'node:buffer'
import type { Ended, LoadConnection } from './http-connection.ts'
import type { Load } from './load.ts'
import { FIRST_ID, ID_LENGTH, ID_OFFSET, tellsFailure } from './messages.ts'

/** A server that loses more connections than this is not measured any further. */
const MAX_LOST = 50

/** One call at a time on each of so many connections, until it is stopped. */
export class HttpFlood implements Load {
  answered = 0
  failed = 0
  readonly latencies: number[] = []
  readonly #timed: boolean
  #open: number
  #lost = 0
  #stopping = false
  #drained: (() => void) | undefined

  constructor(connections: number) {
    this.#open = connections
    this.#timed = connections === 1
  }

  /** Sends a request again and again on a connection of its own, each time with the next id. */
  run(request: Buffer, firstId: number, connect: () => LoadConnection): void {
    const place = request.indexOf(END_OF_HEAD) + END_OF_HEAD.length + ID_OFFSET
    let [connection, id, sentAt, failed] = [connect(), firstId, 0, false]
    const receiver = {
      body: (bytes: Buffer): void => {
        if (tellsFailure(bytes)) failed = true
      },
      ended: (how: Ended): void => {
        this.#count(how, failed)
        if (this.#timed) this.latencies.push((performance.now() - sentAt) * 1000)
        if (this.#stopping || this.#lost > MAX_LOST) this.#leave(connection)
        else next()
      },
    }
    const next = (): void => {
      if (!connection.open) connection = connect()
      failed = false
      id = id === 9_999_999 ? FIRST_ID : id + 1
      request.write(String(id), place, ID_LENGTH, 'latin1')
      sentAt = performance.now()
      connection.send(request, receiver)
    }
    next()
  }

  stop(): Promise<void> {
    this.#stopping = true
    return new Promise((resolve) => {
      this.#drained = resolve
      if (this.#open === 0) resolve()
    })
  }

  #count(how: Ended, failed: boolean): void {
    if ('error' in how) this.#lost++
    else this.answered++
    if (failed || 'error' in how || how.status !== 200) this.failed++
  }

  #leave(connection: LoadConnection): void {
    connection.close()
    if (--this.#open === 0) this.#drained?.()
  }
}

const END_OF_HEAD = '\r\n\r\n'
