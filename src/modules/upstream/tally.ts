import { cut, type RelayedState, tame } from '../../kernel/index.ts'

/** The durations of how many calls are remembered. */
const REMEMBERED = 255

/** What is remembered of what went wrong last, which may be in the words of the upstream. */
const LONGEST_ERROR = 500

type Tallied = Pick<RelayedState, 'calls' | 'failed' | 'underway' | 'p50' | 'lastError'>

/** What has become of the calls that went to an upstream. */
export class Tally {
  readonly #now: () => number
  readonly #durations: number[] = []
  #calls = 0
  #failed = 0
  #underway = 0
  #staying = 0
  #lastError: Tallied['lastError'] = null
  #idle: (() => void) | undefined

  constructor(now: () => number) {
    this.#now = now
  }

  /** One begins; gives when. */
  begin(): number {
    this.#underway++
    return performance.now()
  }

  /** One that began then has ended, however. */
  end(began: number): void {
    this.#durations[this.#calls++ % REMEMBERED] = performance.now() - began
    this.#underway--
    this.#rest()
  }

  /** A task is waited for, or somebody's answer to a question, until the function given back is called. */
  stay(): () => void {
    this.#staying++
    return () => {
      this.#staying--
      this.#rest()
    }
  }

  /** A call was not answered. */
  fail(text: string): void {
    this.#failed++
    this.tell(text)
  }

  /** Something went wrong, with a call or without. */
  tell(text: string): void {
    const lines = text.split('\n').map((line) => line.trim())
    const told = lines.filter((line) => line !== '').join('; ')
    this.#lastError = { text: tame(cut(told, LONGEST_ERROR)), time: this.#now() }
  }

  /** Resolves when none is under way, and nothing of them is waited for. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idle = resolve
      this.#rest()
    })
  }

  #rest(): void {
    if (this.#underway + this.#staying === 0) this.#idle?.()
  }

  read(): Tallied {
    const sorted = this.#durations.toSorted((a, b) => a - b)
    const half = sorted[Math.floor((sorted.length - 1) / 2)]
    return {
      calls: this.#calls,
      failed: this.#failed,
      underway: this.#underway,
      p50: half === undefined ? null : Math.round(half * 1000) / 1000,
      lastError: this.#lastError,
    }
  }
}
