import type { ServerResponse } from 'node:http'

/** What all bodies may take that are arriving or waiting for their answers, of whomever: children judge who may speak. */
const MOST_BYTES = 256 * 1024 * 1024

/** The bodies that are held for children. */
export class HeldBodies {
  #bytes = 0

  /** Tells whether there is room for so many bytes more of an exchange, which holds them until its answer is over. */
  roomFor(response: ServerResponse): (bytes: number) => boolean {
    let held = 0
    response.once('close', () => {
      this.#bytes -= held
    })
    return (bytes) => {
      if (response.closed || this.#bytes + bytes > MOST_BYTES) return false
      held += bytes
      this.#bytes += bytes
      return true
    }
  }
}
