import { closeSync, fchmodSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { mask } from '../console/mask.ts'
import { printLine } from '../console/recording.ts'
import type { JsonObject } from '../kernel/index.ts'
import { Numbering } from './numbering.ts'

export interface RecorderOptions {
  /** How large its file may become. */
  readonly maxBytes: number
  readonly now: () => number
  /** Told once, when nothing more is written. */
  readonly stopped: (reason: string) => void
}

/** Conversations whose requests are counted: those that were used last. */
const MOST = 1000

/** Writes messages to a file that its owner alone may read: without their secrets, each when it passes. */
export class Recorder {
  readonly #path: string
  readonly #options: RecorderOptions
  readonly #conversations = new Map<string, Numbering>()
  /** Conversations that were there already have the same names: those of a later recording say where it begins. */
  readonly #mark: string
  #file: number | undefined
  #bytes: number

  constructor(path: string, options: RecorderOptions) {
    this.#path = path
    this.#options = options
    this.#file = openSync(path, 'a', 0o600)
    fchmodSync(this.#file, 0o600)
    this.#bytes = fstatSync(this.#file).size
    this.#mark = this.#bytes === 0 ? '' : `@${this.#bytes}`
    if (this.#bytes > 0 && !endsLine(path, this.#bytes)) this.#bytes += writeSync(this.#file, '\n')
  }

  /** How large its file is. */
  get bytes(): number {
    return this.#bytes
  }

  write(connection: string, direction: 'in' | 'out', message: JsonObject | readonly JsonObject[]): void {
    if (this.#file === undefined) return
    const numbered = this.#numberingOf(connection).number(message, direction)
    const text = JSON.stringify(mask(numbered))
    const own = `${connection}${this.#mark}`
    const line = printLine({ time: this.#options.now(), connection: own, direction, text })
    this.#bytes += Buffer.byteLength(line)
    if (this.#bytes > this.#options.maxBytes)
      return this.#stop(`${this.#path} has ${this.#options.maxBytes} bytes, which is as many as it may have`)
    try {
      writeSync(this.#file, line)
    } catch (error) {
      this.#stop(`${this.#path} cannot be written: ${(error as Error).message}`) // A full disk must not end a server.
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  #numberingOf(connection: string): Numbering {
    const known = this.#conversations.get(connection) ?? new Numbering()
    this.#conversations.delete(connection)
    this.#conversations.set(connection, known)
    if (this.#conversations.size > MOST)
      for (const oldest of this.#conversations.keys()) {
        this.#conversations.delete(oldest)
        break
      }
    return known
  }

  #stop(reason: string): void {
    this.close()
    this.#options.stopped(`${reason}: nothing more is recorded`)
  }
}

/** Whether a file of so many bytes ends with a whole line, and not with one that somebody was kept from finishing. */
function endsLine(path: string, bytes: number): boolean {
  const file = openSync(path, 'r')
  try {
    const last = Buffer.alloc(1)
    return readSync(file, last, 0, 1, bytes - 1) === 1 && last.toString() === '\n'
  } finally {
    closeSync(file)
  }
}
