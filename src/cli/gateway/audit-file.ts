import { closeSync, openSync, writeSync } from 'node:fs'

/** A file to which lines are added, at once, so that none is lost when the process is; only its owner can read it. */
export class AuditFile {
  readonly #path: string
  readonly #complain: (message: string) => void
  #file: number | undefined
  #complaint = ''

  /** Throws where it cannot be written. */
  constructor(path: string, complain: (message: string) => void) {
    this.#path = path
    this.#complain = complain
    this.#file = openSync(path, 'a', 0o600)
  }

  /** What cannot be written is complained of once, until something can be again. */
  add(line: string): void {
    try {
      this.#file ??= openSync(this.#path, 'a', 0o600)
      writeSync(this.#file, `${line}\n`)
      this.#complaint = ''
    } catch (error) {
      const { message } = error as Error
      if (message !== this.#complaint)
        this.#complain(`${this.#path} cannot be written, so that calls are not audited: ${message}`)
      this.#complaint = message
      this.close()
    }
  }

  /** The next line opens it anew, so that somebody may have moved it away. */
  close(): void {
    const file = this.#file
    this.#file = undefined
    if (file !== undefined) closeSync(file)
  }
}
