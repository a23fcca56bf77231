import { basename, join } from 'node:path'
import type { Module } from '../../authoring/define.ts'
import type { Server } from '../../kernel/index.ts'
import { Bequest } from '../bequest.ts'
import type { CommandError } from '../exit-codes.ts'
import { type DevList, describeServer } from './described.ts'
import { type FromChild, readMessage, type ToChild } from './messages.ts'
import { ParentsStore } from './shared-store.ts'

/** What the process that holds the pipe or the port gives each child. */
export interface DevBequest {
  readonly secret: string
  /** The port that is held for it, and the folder for the socket on which it listens instead. */
  readonly behind: { readonly folder: string; readonly port: number } | undefined
}

export const BEQUEST = new Bequest<DevBequest>('PERIGEE_DEV')

/** Undefined unless this process was started by `perigee dev`; what it starts itself is none. */
export function findApprentice(): Apprentice | undefined {
  const given = BEQUEST.take()
  return given && new Apprentice(given)
}

/** A child's end of the channel to the process that holds the pipe or the port. */
export class Apprentice {
  readonly secret: string
  readonly port: number | undefined
  /** On which it listens in the place of the port. */
  readonly socket: string
  /** Whether nobody was there before it. */
  isFirst = false
  readonly store = new ParentsStore((message) => tell(message))
  /** What is not there yet may come with the next change, so that clients are told of every list. */
  readonly modules: readonly Module[] = [
    { name: 'dev', wraps: 'server', tools: [], resources: [], prompts: [] },
  ]
  readonly #told: Promise<string | undefined>
  #server: Server | undefined

  constructor({ secret, behind }: DevBequest) {
    this.secret = secret
    this.port = behind?.port
    this.socket = socketIn(behind?.folder ?? '')
    this.#told = new Promise((resolve) => {
      process.on('message', (message) => {
        const said = readMessage<ToChild>(message)
        if (said?.perigee === 'go') {
          this.isFirst = said.isFirst
          resolve(said.instead)
        } else if (said !== undefined) this.#hear(said)
      })
    })
    process.on('disconnect', () => process.exit(0)) // Nobody is left to serve.
  }

  /** Resolves when it is time to load the file; to a reason where something empty is wanted instead. */
  told(): Promise<string | undefined> {
    tell({ perigee: 'warm' })
    return this.#told
  }

  /** It serves. */
  ready(server: Server): void {
    this.#server = server
    server.exits.add(() => tell({ perigee: 'ends' }))
    tell({ perigee: 'ready', described: describeServer(server), socket: this.socket })
  }

  /** It does not serve; whoever holds the pipe or the port tells why, in the log. */
  failed({ message, exitCode }: CommandError): void {
    tell({ perigee: 'failed', reason: message, code: exitCode })
  }

  #hear(message: ToChild): void {
    if (message.perigee === 'stored' || message.perigee === 'published') return this.store.hear(message)
    if (this.#server === undefined) return
    if (message.perigee === 'describe')
      tell({ perigee: 'described', described: describeServer(this.#server) })
    if (message.perigee === 'changed') announce(this.#server, message.lists)
  }
}

/** To everybody, since whoever has no right to what has changed finds the same list. */
function announce({ listeners }: Server, lists: readonly DevList[]): void {
  const audiences = [{ owner: undefined, scopes: [] }]
  for (const list of lists) for (const listener of [...listeners]) listener.tell({ list, audiences })
}

function socketIn(folder: string): string {
  const name = `${process.pid}.sock`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${basename(folder)}-${name}` : join(folder, name)
}

function tell(message: FromChild): void {
  if (process.connected) process.send?.(message)
}
