import { LONGEST_MS, once, type Platform, type Store, type Validator } from '../kernel/index.ts'
import { createSealer } from './sealing.ts'

/** Node's own where there is a Node: those of Deno have no unref, and an import of them would load their promises too. */
const timers = () => globalThis.process?.getBuiltinModule?.('node:timers') ?? globalThis

export interface PlatformOptions {
  readonly validator: Validator
  readonly store: Store
  /** Servers that answer for each other need the same secrets; without any, one is made up at start. */
  readonly secrets: readonly string[]
}

/** Where the kernel runs: its clock, its randomness, its keys. */
export function createPlatform({ validator, store, secrets }: PlatformOptions): Platform {
  const { setTimeout, clearTimeout, setImmediate, clearImmediate } = timers()
  const sealer = once(() => createSealer(secrets))
  return {
    now: Date.now,
    after: (milliseconds, run, waitedFor) => {
      // A timer would wait for a millisecond; others get their turn all the same.
      if (milliseconds === 0 && typeof setImmediate === 'function') {
        const turn = setImmediate(run)
        turn.unref?.()
        return () => clearImmediate(turn)
      }
      const timer = setTimeout(run, Math.min(milliseconds, LONGEST_MS))
      if (waitedFor === undefined) timer.unref?.() // A Worker's is a number.
      return () => clearTimeout(timer)
    },
    randomId: () => crypto.randomUUID(),
    get sealer() {
      return sealer()
    },
    validator,
    store,
  }
}
