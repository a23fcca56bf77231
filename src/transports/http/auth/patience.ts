/** Asks for something, and after a failure does not ask again for a while: whoever comes meanwhile fails alike. */
export function patiently<Asked extends readonly unknown[], Given>(
  ask: (...asked: Asked) => Promise<Given>,
  waitMs: number,
): (...asked: Asked) => Promise<Given> {
  let failed: { readonly error: unknown; readonly until: number } | undefined
  return async (...asked) => {
    if (failed !== undefined && Date.now() < failed.until) throw failed.error
    try {
      const given = await ask(...asked)
      failed = undefined
      return given
    } catch (error) {
      failed = { error, until: Date.now() + waitMs }
      throw error
    }
  }
}
