import type { Socket } from 'node:net'

/** Whether a connection is read: not as long as anybody who has paused it has not said otherwise. */
export class SocketReading {
  readonly #socket: Socket
  #pauses = 0

  constructor(socket: Socket) {
    this.#socket = socket
  }

  pause(): void {
    if (this.#pauses++ === 0) this.#socket.pause()
  }

  resume(): void {
    if (--this.#pauses === 0) this.#socket.resume()
  }
}
