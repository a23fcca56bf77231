import { isAtLeast, type JsonObject, type LogLevel } from '../../kernel/index.ts'
import type { CallerSide } from './open-call.ts'

/** What is said to a caller on another node. */
export type SaidElsewhere =
  | { readonly progress: readonly [progress: number, total?: number, message?: string] }
  | { readonly method: string; readonly params: JsonObject }

export interface CallerElsewhereOptions {
  readonly answers: JsonObject
  readonly logLevel: LogLevel | undefined
  readonly say: (said: SaidElsewhere) => void
}

/** A client that has come back on another node, as the call sees it that is open on this one. */
export class CallerElsewhere implements CallerSide {
  readonly answers: JsonObject
  aborted = false
  readonly #options: CallerElsewhereOptions
  #whenCancelled: ((reason?: string) => void) | undefined

  constructor(options: CallerElsewhereOptions) {
    this.#options = options
    this.answers = options.answers
  }

  abort(reason?: string): void {
    this.aborted = true
    this.#whenCancelled?.(reason)
  }

  whenCancelled(run: (reason?: string) => void): void {
    this.#whenCancelled = run
  }

  progress(...progress: [progress: number, total?: number, message?: string]): void {
    this.#options.say({ progress })
  }

  notify(method: string, params: JsonObject): void {
    this.#options.say({ method, params })
  }

  hears(level: LogLevel): boolean {
    const { logLevel } = this.#options
    return logLevel !== undefined && isAtLeast(level, logLevel)
  }

  /** Its connection is another node's. */
  detach(): void {}
}
