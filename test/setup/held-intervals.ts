import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import { onTestFinished } from 'vitest'

/** What would be done again and again by Node's clock from here on, until the test is over: it waits to be called. */
export function holdIntervals(): readonly (() => void)[] {
  const held: (() => void)[] = []
  const { setInterval } = timers
  const hold = (run: () => void) => {
    held.push(run)
    return setInterval(() => {}, 3_600_000).unref()
  }
  Object.assign(timers, { setInterval: hold })
  syncBuiltinESMExports()
  onTestFinished(() => {
    Object.assign(timers, { setInterval })
    syncBuiltinESMExports()
  })
  return held
}
