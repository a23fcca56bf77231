import { connect, type Socket } from 'node:net'
import { expecting, type Id, membersOf, type Refused } from '../../kernel/index.ts'
import { ClientError } from '../errors.ts'
import type { Arriving, MessageLimits } from '../intake.ts'
import type { Ear, OpenWire, Sent, Wire } from '../wire.ts'
import { cancelByNotification } from './cancel.ts'
import { HeardLines } from './heard-lines.ts'
import { writeLine } from './writing.ts'

/** A server that listens on a Unix socket, or on a named pipe. */
export interface SocketTarget {
  readonly socket: string
}

/** Throws a TypeError unless it names a socket. */
export const checkSocket: (target: unknown, where: string) => void = membersOf(
  { socket: expecting('the path of a socket', (value) => typeof value === 'string' && value !== '') },
  { needed: ['socket'] },
)

/** How long a server may take to close its end. */
const LEAVING_MS = 2000

export function socketWire(path: string, limits: MessageLimits): OpenWire {
  return (ear) => new SocketWire(path, limits, ear)
}

/** One connection is one conversation, in lines as on stdin and stdout. */
class SocketWire implements Wire, Arriving {
  readonly keeps = true
  readonly #socket: Socket
  readonly #gone: Promise<void>
  readonly #ear: Ear
  readonly #lines: HeardLines
  #closing = false

  constructor(path: string, limits: MessageLimits, ear: Ear) {
    this.#ear = ear
    this.#socket = connect(path)
    const hear = (lines: readonly (string | Refused)[]) => {
      for (const line of lines) {
        if (typeof line === 'string') ear.hear(line)
        else if (line.fault.fault === 'parseError') ear.warn(new ClientError('nonsense', line.fault.message))
        else this.giveWay(tooLong(limits.maxMessageBytes))
      }
    }
    this.#lines = new HeardLines({ stream: this.#socket, limits, arriving: this, hear })
    this.#gone = this.#watch(path, ear).finally(() => this.#lines.letGo())
  }

  send(message: Sent): Promise<void> {
    return writeLine(this.#socket, message)
  }

  cancel(id: Id, reason: string): void {
    cancelByNotification(this, id, reason)
  }

  opened(): void {}

  async close(): Promise<void> {
    this.#closing = true
    this.#lines.letGo()
    this.#socket.end()
    const late = setTimeout(() => this.#socket.destroy(), LEAVING_MS)
    await this.#gone
    clearTimeout(late)
  }

  /** Nobody knows whom a line that is too long was for, so nobody may go on waiting for it. */
  giveWay(error: Error): void {
    if (!this.#closing) this.#ear.fail(error)
    this.#socket.destroy()
  }

  #watch(path: string, ear: Ear): Promise<void> {
    let cause: Error | undefined
    let isNew = true
    this.#socket.once('connect', () => {
      isNew = false
    })
    this.#socket.on('error', (error) => {
      cause = error
    })
    return new Promise((resolve) => {
      this.#socket.once('close', () => {
        this.#lines.whenHeard(() => {
          if (!this.#closing) ear.fail(isNew ? unreachable(path, cause) : lost(path))
          resolve()
        })
      })
    })
  }
}

function tooLong(most: number): ClientError {
  return new ClientError('too-much', `The server sent a line of more than ${most} bytes (maxMessageBytes)`)
}

function lost(path: string): ClientError {
  return new ClientError('lost', `The server closed the connection (${path})`)
}

function unreachable(path: string, cause: Error | undefined): ClientError {
  const text = `The server cannot be reached: ${path}: ${cause?.message}`
  return new ClientError('unreachable', text, { cause, unsent: true })
}
