import type { Platform } from '../ports/platform.ts'
import type { KernelObserver } from './events.ts'

/** Something that is there for as long as the server is served: a module, a store. */
export interface Part {
  /** What it is called when it fails: `module github`. */
  readonly name: string
  readonly open?: (() => unknown) | undefined
  readonly close?: (() => unknown) | undefined
}

export interface LifecycleOptions {
  /** In the order in which they are opened; they are closed the other way round. */
  readonly parts: readonly Part[]
  readonly after: Platform['after']
  readonly observe: KernelObserver
}

/** How long a part may take to close before the next one is. */
const CLOSE_MS = 5000

/** When a server's parts are opened and closed: before its first client, and after its last. */
export class Lifecycle {
  readonly #options: LifecycleOptions
  readonly #servings = new Set<() => Promise<unknown>>()
  #opened: Part[] = []
  #isOpen = false
  #starting: Promise<void> | undefined
  #closing: Promise<void> | undefined

  constructor(options: LifecycleOptions) {
    this.#options = options
  }

  /** Opens what is not open; nothing is given back where nothing has to be waited for. */
  start(): Promise<void> | undefined {
    const { parts } = this.#options
    if (this.#isOpen) return undefined
    if (this.#closing === undefined && parts.every(({ open }) => open === undefined)) {
      this.#opened = [...parts]
      this.#isOpen = true
      return undefined
    }
    this.#starting ??= this.#openAll().finally(() => {
      this.#starting = undefined
    })
    return this.#starting
  }

  /** Somebody serves it, and can be told to end that. Whoever is the last to leave closes it. */
  serve(end: () => Promise<unknown>): () => Promise<void> {
    this.#servings.add(end)
    return async () => {
      if (!this.#servings.delete(end) || this.#servings.size > 0 || this.#closing !== undefined) return
      await this.close()
    }
  }

  /** Ends all serving, then closes every part. What fails, or takes too long, is told, and the rest goes on. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll().finally(() => {
      this.#closing = undefined
    })
    return this.#closing
  }

  async #openAll(): Promise<void> {
    await this.#closing
    for (const part of this.#options.parts) {
      try {
        await part.open?.()
      } catch (error) {
        await this.#closeParts()
        const reason = error instanceof Error ? error.message : String(error)
        throw new Error(`The ${part.name} does not open: ${reason}`, { cause: error })
      }
      this.#opened.push(part)
    }
    this.#isOpen = true
  }

  async #closeAll(): Promise<void> {
    await this.#starting?.catch(() => {}) // Whoever started it is told.
    this.#isOpen = false
    const ends = [...this.#servings]
    this.#servings.clear()
    await Promise.all(ends.map((end) => this.#attempt(end, 'what serves it')))
    await this.#closeParts()
  }

  async #closeParts(): Promise<void> {
    for (let part = this.#opened.pop(); part !== undefined; part = this.#opened.pop()) {
      const { name, close } = part
      if (close !== undefined) await this.#attempt(() => this.#inTime(close, name), name)
    }
  }

  async #attempt(close: () => unknown, name: string): Promise<void> {
    try {
      await close()
    } catch (error) {
      this.#options.observe({ kind: 'crashed', error, method: `close (${name})` })
    }
  }

  async #inTime(close: () => unknown, name: string): Promise<void> {
    const closed = close()
    if (!(closed instanceof Promise)) return
    let callOff = () => {}
    const late = new Promise((_resolve, reject) => {
      const tooLong = () => reject(new Error(`The ${name} did not close within ${CLOSE_MS / 1000} s`))
      callOff = this.#options.after(CLOSE_MS, tooLong)
    })
    try {
      await Promise.race([closed, late])
    } finally {
      callOff()
    }
  }
}
