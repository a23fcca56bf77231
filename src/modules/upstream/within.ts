import type { Server } from '../../kernel/index.ts'

/** How long one upstream is waited for where others may have what is wanted, or are wanted as well. */
export const OTHERS_WAIT_MS = 2000

/** What has come of something, or undefined when it has had its time. */
export async function within<Given>(
  ms: number,
  happened: Promise<Given>,
  { platform }: Server,
): Promise<Given | undefined> {
  let stopClock = () => {}
  const late = new Promise<undefined>((resolve) => {
    stopClock = platform.after(ms, () => resolve(undefined))
  })
  const given = await Promise.race([happened, late])
  stopClock()
  return given
}

/** Asks one after the other until one gives something; one that is slow does not keep the next from being asked. */
export async function firstOf(asks: readonly (() => Promise<unknown>)[], server: Server): Promise<unknown> {
  const asked: Promise<unknown>[] = []
  for (const ask of asks) {
    const one = ask()
    asked.push(one)
    const isGiven = one.then(
      () => true,
      () => false, // All reasons are told at the end.
    )
    if ((await within(OTHERS_WAIT_MS, isGiven, server)) === true) return one
  }
  return Promise.any(asked)
}
