import type { Platform } from '../ports/platform.ts'
import type { KernelObserver } from './events.ts'

/** Something that is there for as long as the server is served: a module, a store. */
export interface Part {
  /** What it is called when it fails: `module github`. */
  readonly name: string
  readonly open?: (() => unknown) | undefined
  /** Called when all of them are open, for all at once. */
  readonly ready?: (() => unknown) | undefined
  readonly close?: (() => unknown) | undefined
}

export interface LifecycleOptions {
  /** In the order in which they are opened; they are closed the other way round. */
  readonly parts: readonly Part[]
  readonly after: Platform['after']
  readonly observe: KernelObserver
}

/** How long a part may take to open before that is told, and how long it is waited for when the server closes. */
const OPEN_MS = 5000

/** How long a part may take to close before the next one is: to end a process in good order takes more than 4 s. */
const CLOSE_MS = 10_000

/** Parts that are being opened. */
interface OpeningPart {
  part: Part | undefined
  /** Whether the server was closed before they were open. */
  isLate: boolean
  callOff(error: Error): void
}

/** When a server's parts are opened and closed: before its first client, and after its last. */
export class Lifecycle {
  readonly #options: LifecycleOptions
  readonly #servings = new Set<() => Promise<unknown>>()
  #opened: Part[] = []
  #isOpen = false
  #opening: OpeningPart | undefined
  #starting: Promise<void> | undefined
  #closing: Promise<void> | undefined

  constructor(options: LifecycleOptions) {
    this.#options = options
  }

  /** Whether it is being closed. */
  get isClosing(): boolean {
    return this.#closing !== undefined
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
    this.#starting ??= this.#open()
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

  #open(): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const opening: OpeningPart = { part: undefined, isLate: false, callOff: reject }
      this.#opening = opening
      this.#openAll(opening)
        .finally(() => {
          if (this.#opening === opening) this.#forgetOpening()
        })
        .then(resolve, reject)
    })
  }

  #forgetOpening(): void {
    this.#opening = undefined
    this.#starting = undefined
  }

  async #openAll(opening: OpeningPart): Promise<void> {
    await this.#closing
    for (const part of this.#options.parts) {
      opening.part = part
      try {
        await this.#openPart(part)
      } catch (error) {
        if (!opening.isLate) await this.#closeParts()
        throw notOpened(part, error instanceof Error ? error.message : String(error), error)
      }
      if (opening.isLate) return this.#closePart(part)
      this.#opened.push(part)
    }
    await this.#allReady()
    this.#isOpen = true
  }

  /** One that never opens would keep everybody waiting without a word. */
  async #openPart({ name, open }: Part): Promise<void> {
    if (open === undefined) return
    const message = `The ${name} has not opened for ${OPEN_MS / 1000} s, and nobody is served before it has`
    const { after, observe } = this.#options
    const callOff = after(OPEN_MS, () => observe({ kind: 'noted', level: 'warning', message }))
    try {
      await open()
    } finally {
      callOff()
    }
  }

  async #allReady(): Promise<void> {
    await Promise.all(
      this.#opened.map(async (part) => {
        try {
          await part.ready?.()
        } catch (error) {
          throw notOpened(part, error instanceof Error ? error.message : String(error), error)
        }
      }),
    ).catch(async (error) => {
      await this.#closeParts()
      throw error
    })
  }

  async #closeAll(): Promise<void> {
    const opening = await this.#waitForOpening()
    this.#isOpen = false
    const ends = [...this.#servings]
    this.#servings.clear()
    await Promise.all(ends.map((end) => this.#attempt(end, 'what serves it')))
    await this.#closeParts()
    if (opening?.part === undefined) return
    opening.callOff(
      notOpened(opening.part, `it took more than ${OPEN_MS / 1000} s when the server was closed`),
    )
  }

  /** Gives back what is still being opened when it has been waited for long enough: whatever opens now is closed at once. */
  async #waitForOpening(): Promise<OpeningPart | undefined> {
    const [opening, starting] = [this.#opening, this.#starting]
    if (opening === undefined || starting === undefined) return undefined
    const settled = starting.catch(() => {}) // Whoever started it is told.
    await this.#inTime(OPEN_MS, settled, '').catch(() => {})
    if (this.#opening !== opening) return undefined
    opening.isLate = true
    this.#forgetOpening()
    return opening
  }

  async #closeParts(): Promise<void> {
    for (let part = this.#opened.pop(); part !== undefined; part = this.#opened.pop())
      await this.#closePart(part)
  }

  async #closePart({ name, close }: Part): Promise<void> {
    if (close === undefined) return
    await this.#attempt(async () => {
      const closed = close()
      if (closed instanceof Promise)
        await this.#inTime(CLOSE_MS, closed, `The ${name} did not close within ${CLOSE_MS / 1000} s`)
    }, name)
  }

  async #attempt(close: () => unknown, name: string): Promise<void> {
    try {
      await close()
    } catch (error) {
      this.#options.observe({ kind: 'crashed', error, method: `close (${name})` })
    }
  }

  async #inTime(ms: number, settled: Promise<unknown>, otherwise: string): Promise<void> {
    let callOff = () => {}
    const late = new Promise((_resolve, reject) => {
      callOff = this.#options.after(ms, () => reject(new Error(otherwise)), 'waited-for')
    })
    try {
      await Promise.race([settled, late])
    } finally {
      callOff()
    }
  }
}

function notOpened({ name }: Part, reason: string, cause?: unknown): Error {
  return new Error(`The ${name} does not open: ${reason}`, { cause })
}
