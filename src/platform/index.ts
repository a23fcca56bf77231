import type { Platform, Store, Validator } from '../kernel/index.ts'
import { createSealer } from './sealing.ts'

/** Node's own, since those of another platform may have no unref; an import of them would load their promises too. */
const timers = () => process.getBuiltinModule('node:timers')

export interface PlatformOptions {
  readonly validator: Validator
  readonly store: Store
  /** Servers that answer for each other need the same secrets; without any, one is made up at start. */
  readonly secrets: readonly string[]
}

/** Where the kernel runs: its clock, its randomness, its keys. */
export function createPlatform({ validator, store, secrets }: PlatformOptions): Platform {
  const { setTimeout, clearTimeout } = timers()
  return {
    now: Date.now,
    after: (milliseconds, run) => {
      const timer = setTimeout(run, milliseconds).unref()
      return () => clearTimeout(timer)
    },
    randomId: () => crypto.randomUUID(),
    sealer: createSealer(secrets),
    validator,
    store,
  }
}
