/** How many notes are remembered, so that each is made once. */
const MOST_TOLD = 1000

/** How much of what is wrong is told at a time. */
const MOST_AT_ONCE = 50

/** Notes what is wrong with an upstream: each thing once, and not more than anybody reads. */
export class Notes {
  readonly #name: string
  readonly #note: (message: string) => void
  readonly #told = new Set<string>()

  constructor(name: string, note: (message: string) => void) {
    this.#name = name
    this.#note = note
  }

  once(problems: readonly string[]): void {
    if (this.#told.size > MOST_TOLD) this.#told.clear()
    for (const problem of few(problems)) {
      if (!this.#told.has(problem)) this.#note(named(this.#name, problem))
      this.#told.add(problem)
    }
  }
}

function named(name: string, problem: string): string {
  return problem.startsWith(`${name}: `) ? problem : `${name}: ${problem}`
}

/** The first of them, and how many more there are. */
export function few(problems: readonly string[]): readonly string[] {
  const more = problems.length - MOST_AT_ONCE
  return more <= 0 ? problems : [...problems.slice(0, MOST_AT_ONCE), `… and ${more} more like these`]
}
