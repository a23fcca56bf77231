const WIDTH = 24

/** Where a long run has come to: one line that moves on a terminal, a line a step elsewhere. */
export class ProgressLine {
  readonly #total: number
  readonly #stream: NodeJS.WriteStream
  readonly #began = performance.now()
  #done = 0
  #label = ''

  constructor(total: number, stream: NodeJS.WriteStream = process.stderr) {
    this.#total = total
    this.#stream = stream
  }

  /** Says what is going on now; the step before it is done. */
  step(label: string): void {
    this.#draw(label)
    this.#done++
  }

  end(): void {
    if (this.#stream.isTTY) this.#stream.write('\r\u001b[K')
  }

  #draw(label: string): void {
    const share = Math.min(1, this.#done / this.#total)
    const percent = `${Math.floor(share * 100)} %`.padStart(5)
    const seconds = Math.round((performance.now() - this.#began) / 1000)
    if (!this.#stream.isTTY) {
      if (label !== this.#label) this.#stream.write(`${percent} ${seconds} s ${label}\n`)
      this.#label = label
      return
    }
    const full = Math.round(share * WIDTH)
    const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full)
    const room = Math.max(10, (this.#stream.columns || 80) - WIDTH - 16)
    this.#stream.write(`\r\u001b[K${bar}${percent} ${seconds} s ${label.slice(0, room)}`)
  }
}
