/** Runs what makes Node say that something is experimental; whoever runs a server cannot do anything about it. */
export function withoutExperimentalWarnings<Result>(run: () => Result): Result {
  const { emitWarning } = process
  process.emitWarning = (warning: unknown, ...rest: readonly unknown[]) => {
    if (!isExperimental(warning, rest[0])) Reflect.apply(emitWarning, process, [warning, ...rest])
  }
  const restore = () => {
    process.emitWarning = emitWarning
  }
  try {
    const result = run()
    if (result instanceof Promise) return result.finally(restore) as Result // The same promise, a little later.
    restore()
    return result
  } catch (error) {
    restore()
    throw error
  }
}

/** Node gives the name of a warning, or options with it. */
function isExperimental(warning: unknown, type: unknown): boolean {
  const name =
    warning instanceof Error ? warning.name : ((type as { type?: unknown } | undefined)?.type ?? type)
  return name === 'ExperimentalWarning'
}
