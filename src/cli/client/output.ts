import { oneLine, printable } from './printable.ts'

/** Where a command's words go: what was asked for to stdout, everything else to stderr. */
export class CommandOutput {
  readonly json: boolean
  #status = ''
  #spoke = false

  /** `gone` is called when whoever reads stdout has read enough. */
  constructor(json: boolean, gone: () => void) {
    this.json = json
    process.stdout.on('error', gone)
  }

  /** Whether nothing has been said yet, and nothing shows how it goes. */
  get isSilent(): boolean {
    return !this.#spoke && this.#status === ''
  }

  /** A line, or lines, of what was asked for. A program gets it as it is. */
  say(text: string): void {
    this.#speak()
    const shown = process.stdout.isTTY ? printable(text) : text
    process.stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`)
  }

  /** Exactly what was asked for, and no more. */
  write(content: string | Buffer): void {
    this.#speak()
    if (process.stdout.isTTY && typeof content === 'string') return this.say(content)
    process.stdout.write(content)
  }

  sayJson(value: unknown): void {
    this.say(JSON.stringify(value, undefined, process.stdout.isTTY ? 2 : undefined))
  }

  /** One of many, each in a line. */
  sayLine(value: unknown): void {
    this.say(JSON.stringify(value))
  }

  /** Something beside it. */
  note(text: string): void {
    this.#speak()
    process.stderr.write(`${process.stderr.isTTY ? printable(text) : text}\n`)
  }

  /** How it goes, on a terminal: one line, which the next one replaces. */
  showStatus(text: string): void {
    if (!process.stderr.isTTY || (text === '' && this.#status === '')) return
    this.#status = oneLine(text, Math.max(10, (process.stderr.columns || 80) - 2))
    process.stderr.write(`\r\u001b[K${this.#status}`)
  }

  #speak(): void {
    this.#spoke = true
    this.showStatus('')
  }
}
