import { closeSync, fstatSync, openSync, renameSync, statSync, writeSync } from 'node:fs'
import { endsLine } from '../recording/ends-line.ts'

export interface LineFileOptions {
  /** What is lost where nothing can be written, as the complaint says it. */
  readonly loses: string
  readonly complain: (message: string) => void
  /** How many bytes it may have before its lines go on in another; without end unless said. */
  readonly maxBytes?: number
}

/** How many full files stand beside the one that is written. */
const KEPT = 5

/** A file to which lines are added, at once, so that none is lost when the process is; only its owner can read it. */
export class LineFile {
  readonly #path: string
  readonly #options: LineFileOptions
  #file: number | undefined
  #bytes = 0
  #complaint = ''

  /** Throws where it cannot be written. */
  constructor(path: string, options: LineFileOptions) {
    this.#path = path
    this.#options = options
    this.#open()
  }

  /** What cannot be written is complained of once, until something can be again. */
  add(line: string): void {
    try {
      const text = `${line}\n`
      const bytes = Buffer.byteLength(text)
      const written = writeSync(this.#roomFor(bytes), text)
      this.#bytes += written
      if (written < bytes) throw new Error(`only ${written} of ${bytes} bytes of a line were taken`)
      this.#complaint = ''
    } catch (error) {
      const { message } = error as Error
      const isNew = message !== this.#complaint
      this.#complaint = message
      this.close()
      // A complaint may become a line of this very file.
      if (isNew)
        this.#options.complain(`${this.#path} cannot be written, so that ${this.#options.loses}: ${message}`)
    }
  }

  /** The next line opens it anew, so that somebody may have moved it away. */
  close(): void {
    const file = this.#file
    this.#file = undefined
    if (file !== undefined) closeSync(file)
  }

  #open(): number {
    const file = openSync(this.#path, 'a', 0o600)
    this.#bytes = fstatSync(file).size
    this.#file = file
    if (this.#bytes > 0 && !endsLine(this.#path, this.#bytes)) this.#bytes += writeSync(file, '\n')
    return file
  }

  #roomFor(bytes: number): number {
    const { maxBytes = Number.POSITIVE_INFINITY } = this.#options
    const file = this.#file ?? this.#open()
    if (this.#bytes === 0 || this.#bytes + bytes <= maxBytes) return file
    const isOurs = fstatSync(file).ino === statSync(this.#path, { throwIfNoEntry: false })?.ino
    this.close()
    // Another process that writes the same file may have been faster.
    if (isOurs) this.#moveOn()
    return this.#open()
  }

  #moveOn(): void {
    for (let number = KEPT - 1; number > 0; number--) {
      const from = `${this.#path}.${number}`
      if (statSync(from, { throwIfNoEntry: false }) !== undefined)
        renameSync(from, `${this.#path}.${number + 1}`)
    }
    renameSync(this.#path, `${this.#path}.1`)
  }
}
