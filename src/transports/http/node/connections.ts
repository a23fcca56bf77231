import type { Socket } from 'node:net'
import { Connection, type ConnectionOptions } from './connection.ts'

/** The connections that are open. */
export class Connections {
  readonly #options: ConnectionOptions
  readonly #open = new Map<Socket, Connection>()

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#open.size
  }

  /** How many requests wait for the one before them, where most do. */
  get waiting(): number {
    let most = 0
    for (const { waiting } of this.#open.values()) most = Math.max(most, waiting)
    return most
  }

  of(socket: Socket): Connection {
    const known = this.#open.get(socket)
    if (known !== undefined) return known
    const connection = new Connection(socket, this.#options)
    this.#open.set(socket, connection)
    socket.once('close', () => {
      this.#open.delete(socket)
      connection.closed()
    })
    return connection
  }

  closing(): void {
    for (const connection of [...this.#open.values()]) connection.closing()
  }

  /** Resolves when every answer has been taken, or when it is late; tells which. */
  async sent(late: AbortSignal): Promise<boolean> {
    const all = [...this.#open.values()].map(
      (connection) => new Promise<void>((resolve) => connection.whenSent(resolve)),
    )
    return Promise.race([Promise.all(all).then(() => true), lateness(late)])
  }
}

function lateness(late: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (late.aborted) resolve(false)
    late.addEventListener('abort', () => resolve(false), { once: true })
  })
}
