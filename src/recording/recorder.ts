import { randomUUID } from 'node:crypto'
import { closeSync, fchmodSync, fstatSync, openSync, writeSync } from 'node:fs'
import { mask } from '../console/mask.ts'
import { printLine } from '../console/recording.ts'
import type { JsonObject } from '../kernel/index.ts'
import { endsLine } from './ends-line.ts'
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
  /** Conversations of others in the file have the same names: those of whoever did not make it say where they begin. */
  readonly #mark: string
  #file: number | undefined
  #bytes: number

  constructor(path: string, options: RecorderOptions) {
    this.#path = path
    this.#options = options
    const made = make(path)
    const file = made ?? openSync(path, 'a')
    this.#file = file
    fchmodSync(file, 0o600)
    this.#bytes = fstatSync(file).size
    // Others may begin at the same place, at the same time.
    this.#mark = made === undefined ? `@${this.#bytes}-${randomUUID().slice(0, 4)}` : ''
    if (this.#bytes > 0 && !endsLine(path, this.#bytes)) this.#bytes += writeSync(file, '\n')
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
    this.#bytes = fstatSync(this.#file).size + Buffer.byteLength(line) // Others may write to it as well.
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

/** A file that was not there before; of several who try at once, one makes it. */
function make(path: string): number | undefined {
  try {
    return openSync(path, 'ax', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined
    throw error
  }
}
