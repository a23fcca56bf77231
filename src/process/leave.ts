/** How long a reader of the log may take for its last lines. */
const PATIENCE_MS = 1000

/** Ends the process; where something went wrong, not before the log has been taken that says what. */
export function leave(code: number): void {
  if (code === 0) process.exit(0)
  setTimeout(() => process.exit(code), PATIENCE_MS)
  process.stderr.write('', () => process.exit(code))
}
