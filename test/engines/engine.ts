import { afterAll, type TestContext } from 'vitest'
import type { Engine } from '../../scripts/engine.d.mts'

/** An engine for the tests of a file, or the reason why there is none, which is a failure where everything must be checked. */
export async function startEngine(
  name: string,
  start: () => Promise<Engine>,
): Promise<(context: TestContext) => Engine> {
  try {
    const engine = await start()
    afterAll(() => engine.stop())
    return () => engine
  } catch (error) {
    if ((process.env['CI'] ?? '') !== '') throw error
    const reason = `no ${name} here: ${(error as Error).message}`
    console.warn(`\n${'!'.repeat(80)}\nTESTS ARE SKIPPED: ${reason}\n${'!'.repeat(80)}\n`)
    return (context) => context.skip(reason)
  }
}
