/** What the groups of a match have taken, and what they had before, so that a way tried in vain can be taken back. */
export class Captures {
  readonly #begins: number[] = []
  readonly #ends: number[] = []
  /** Which group, and where what it had taken began and ended, one change after the other. */
  readonly #trail: number[] = []

  /** Where a group begins; one that took no part takes nothing, at the beginning. */
  begin(capture: number): number {
    return this.#begins[capture] ?? 0
  }

  end(capture: number): number {
    return this.#ends[capture] ?? 0
  }

  set(capture: number, begin: number, end: number): void {
    this.#trail.push(capture, this.begin(capture), this.end(capture))
    this.#begins[capture] = begin
    this.#ends[capture] = end
  }

  /** How much has changed so far. */
  get changes(): number {
    return this.#trail.length
  }

  /** Takes back what has changed since. */
  undo(changes: number): void {
    const trail = this.#trail
    while (trail.length > changes) {
      const [end = 0, begin = 0, capture = 0] = [trail.pop(), trail.pop(), trail.pop()]
      this.#begins[capture] = begin
      this.#ends[capture] = end
    }
  }
}
