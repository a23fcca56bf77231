/** One thing a contract asks for, for whatever runs tests: `for (const { name, skip, run } of …) it(name, { skip }, run)`. */
export interface ContractTest {
  readonly name: string
  /** Why it is not asked here, if it is not. */
  readonly skip: string | false
  /** Rejects when it does not hold. */
  run(): Promise<void>
}

/** Long enough for a busy machine; only a test that fails ever waits so long. */
export const PATIENCE_MS = 15_000

const LOOK_AGAIN_MS = 5

/** Resolves as soon as `prove` no longer throws; rejects with what it threw last when that takes too long. */
export async function eventually(
  prove: () => void | Promise<void>,
  patienceMs: number = PATIENCE_MS,
): Promise<void> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    try {
      return await prove()
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
    await pause(LOOK_AGAIN_MS)
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
