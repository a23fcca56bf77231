import { median } from '../../dist/bench/index.js'

/** Everything measured. Values are medians; ratios are taken within a round, where both met the same disturbance. */
export class Samples {
  rows = []
  notes = []

  add(id, { name, era = 'handshake' }, round, value, generator) {
    if (!Number.isFinite(value)) return
    this.rows.push({ case: id, name, era, round, value: Number(value.toPrecision(6)), generator })
  }

  note(text) {
    if (!this.notes.includes(text)) this.notes.push(text)
  }

  value(id, name, era = 'handshake') {
    return median(this.#of(id, name, era).map(({ value }) => value))
  }

  ratio(id, name, era = 'handshake', to = 'raw') {
    const base = new Map(this.#of(id, to, era).map(({ round, value }) => [round, value]))
    const ratios = this.#of(id, name, era).flatMap(({ round, value }) =>
      base.has(round) ? [value / base.get(round)] : [],
    )
    return median(ratios)
  }

  /** How much of a core the generator used in a case. */
  generator(id, name, era = 'handshake') {
    const used = this.#of(id, name, era).flatMap(({ generator }) => generator ?? [])
    return used.length === 0 ? undefined : median(used)
  }

  names(id, era = 'handshake') {
    return [...new Set(this.rows.filter((row) => row.case === id && row.era === era).map(({ name }) => name))]
  }

  #of(id, name, era) {
    return this.rows.filter((row) => row.case === id && row.name === name && row.era === era)
  }
}
