import { codeOf, explain } from '../../confined/explain.ts'

/** What the operator was told; the same thing is not told again until it was right in between. */
export class Complaints {
  readonly #report: (message: string) => void
  readonly #told = new Map<string, string>()

  constructor(report: (message: string) => void) {
    this.#report = report
  }

  /** Tells what is wrong with a subject now; undefined when nothing is. */
  settle(subject: string, message: string | undefined): void {
    if (message === undefined) {
      this.#told.delete(subject)
      return
    }
    if (this.#told.get(subject) === message) return
    this.#told.set(subject, message)
    this.#report(message)
  }

  /** Runs the work; what the file system has against the path is told to the operator, and nothing is given. */
  async guard<T>(deed: 'find' | 'read', path: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      const done = await work()
      this.settle(`${deed} ${path}`, undefined)
      return done
    } catch (error) {
      const code = codeOf(error)
      if (code === undefined || PASSING.has(code)) throw error
      this.settle(`${deed} ${path}`, `Left out: ${explain(code, path)}`)
      return undefined
    }
  }
}

/** These say that the machine is in trouble and nothing about the path, so nothing may seem to be missing. */
const PASSING: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EIO'])
