/** Whoever prepares stacks may have made that of every error one that cannot be read, also of those that tell of it. */
export function withoutStack(thrown: unknown, look: (one: unknown) => string): Error {
  try {
    if (thrown instanceof Error) {
      thrown.stack = `${thrown.name}: ${thrown.message}`
      look(thrown)
      return thrown
    }
  } catch {} // What cannot be changed either is not told.
  const error = new Error('Something was thrown that cannot be read')
  error.stack = `Error: ${error.message}`
  return error
}
