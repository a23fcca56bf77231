/** How many notes are remembered, so that each is made once. */
const MOST_TOLD = 1000

/** How much of what is wrong is told at a time. */
const MOST_AT_ONCE = 50

/** Notes what is wrong with an upstream: each thing once, and not more than anybody reads. */
export class Notes {
  readonly #name: string
  readonly #note: (message: string) => void
  readonly #told: Set<string>

  constructor(name: string, note: (message: string) => void, told = new Set<string>()) {
    this.#name = name
    this.#note = note
    this.#told = told
  }

  /** Where the same words may be said of different things, marks tell these apart. */
  once(problems: readonly string[], marks: readonly string[] = []): void {
    if (this.#told.size > MOST_TOLD) this.#told.clear()
    for (const [at, problem] of few(problems).entries()) {
      const told = `${problem} ${marks[at] ?? ''}`
      if (!this.#told.has(told)) this.#note(named(this.#name, problem))
      this.#told.add(told)
    }
  }
}

const toldTo = new WeakMap<object, Map<string, Set<string>>>()

/** What a server has been told of an upstream of this name, also of one that it had before. */
export function toldOf(server: object, name: string): Set<string> {
  const all = toldTo.get(server) ?? new Map<string, Set<string>>()
  const told = all.get(name) ?? new Set<string>()
  toldTo.set(server, all.set(name, told))
  return told
}

function named(name: string, problem: string): string {
  return problem.startsWith(`${name}: `) ? problem : `${name}: ${problem}`
}

/** The first of them, and how many more there are. */
export function few(problems: readonly string[]): readonly string[] {
  const more = problems.length - MOST_AT_ONCE
  return more <= 0 ? problems : [...problems.slice(0, MOST_AT_ONCE), `… and ${more} more like these`]
}
