/** Resolves to false when it is late. */
export function lateness(late: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (late.aborted) resolve(false)
    late.addEventListener('abort', () => resolve(false))
  })
}
