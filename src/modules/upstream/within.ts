import type { Server } from '../../kernel/index.ts'

/** Resolves when something has happened, or when it has had its time. */
export async function within(ms: number, happened: Promise<unknown>, { platform }: Server): Promise<void> {
  let stopClock = () => {}
  const late = new Promise<void>((resolve) => {
    stopClock = platform.after(ms, resolve)
  })
  await Promise.race([happened, late])
  stopClock()
}
