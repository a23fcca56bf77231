/** How much of the log may wait for a reader. */
const MAX_UNREAD_BYTES = 1024 * 1024

let bounded = false

/** Nobody has to read the log: what is not taken is dropped, and a closed end is no reason to stop. */
export function boundStderr(): void {
  if (bounded) return
  bounded = true
  const { stderr } = process
  const write = stderr.write.bind(stderr)
  stderr.write = (text: string | Uint8Array, ...rest: unknown[]) => {
    if (stderr.writableLength < MAX_UNREAD_BYTES) return write(text, ...(rest as [])) // As the caller gave them.
    const written = rest.at(-1)
    if (typeof written === 'function') queueMicrotask(() => written())
    return false
  }
  stderr.on('error', () => {})
}
