import type { Store } from '../../src/kernel/index.ts'
import { OPERATIONS } from '../../src/stores/measured.ts'

/**
 * Functions that promise something take some turns before they begin, and some after they are done, so that whoever
 * does not wait for one is found out by what it does meanwhile.
 */
export class SlowMotion {
  /** What was asked, in its order; what did not wait for something else says for what. */
  readonly asked: string[] = []
  readonly #underWay = new Set<{ readonly name: string }>()
  readonly #undo: (() => void)[] = []

  /** What has not been done yet. */
  get underWay(): readonly string[] {
    return [...this.#underWay].map(({ name }) => name)
  }

  /** What was asked since the last time. */
  take(): readonly string[] {
    return this.asked.splice(0)
  }

  slow<Slow extends object>(slow: Slow, names: readonly (keyof Slow & string)[]): this {
    const slowly = (name: string, run: () => unknown) => this.#slowly(name, run)
    const members = slow as Record<string, (...args: unknown[]) => unknown> // Those that are named promise something.
    for (const name of names) {
      const run = members[name]
      members[name] = function (this: unknown, ...args) {
        return slowly(`${name}${about(args[0])}`, () => run?.apply(this ?? slow, args))
      }
      this.#undo.push(() => void Object.assign(slow, { [name]: run }))
    }
    return this
  }

  slowStore(store: Store): this {
    return this.slow(store, OPERATIONS)
  }

  /** All that goes on has been done. */
  async rest(): Promise<void> {
    do await turns()
    while (this.#underWay.size > 0)
  }

  end(): void {
    for (const undo of this.#undo.splice(0).reverse()) undo()
  }

  async #slowly(name: string, run: () => unknown): Promise<unknown> {
    const before = this.underWay
    this.asked.push(before.length === 0 ? name : `${name} during ${before.join(', ')}`)
    const one = { name }
    this.#underWay.add(one)
    try {
      await turns()
      const done = await run()
      await turns()
      return typeof done === 'function' ? () => this.#slowly(`end of ${name}`, () => done()) : done
    } finally {
      this.#underWay.delete(one)
    }
  }
}

/** What something is about, by the beginning of its name: no two have the same ids. */
function about(first: unknown): string {
  return typeof first !== 'string' || first === '' ? '' : ` ${first.replace(/(?<=\/).*|[\da-f]{8}-.*/s, '…')}`
}

/** More than whatever waits for nothing but its own promises takes. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
}
