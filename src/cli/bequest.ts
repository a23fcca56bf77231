/** What a process gives those it starts, by a variable of their environment. */
export class Bequest<Given> {
  readonly #variable: string

  constructor(variable: string) {
    this.#variable = variable
  }

  give(given: Given): { readonly [name: string]: string } {
    return { [this.#variable]: JSON.stringify(given) }
  }

  /** Undefined where nothing was given; it is taken away, so that what is started from here has none. */
  take(): Given | undefined {
    const given = process.env[this.#variable]
    delete process.env[this.#variable]
    return given === undefined ? undefined : JSON.parse(given)
  }
}
