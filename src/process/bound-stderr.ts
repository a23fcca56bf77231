import { BUDGETS, type Server } from '../kernel/index.ts'

let bounded = false
let most: number = BUDGETS.maxUnreadLogBytes.limit

/** Nobody has to read the log: what is not taken is dropped, and a closed end is no reason to stop. */
export function boundStderr(server?: Pick<Server, 'budgets' | 'usage'>): void {
  const { stderr } = process
  most = server?.budgets.maxUnreadLogBytes ?? most
  server?.usage.watch('maxUnreadLogBytes', () => stderr.writableLength)
  if (bounded) return
  bounded = true
  const write = stderr.write.bind(stderr)
  stderr.write = (text: string | Uint8Array, ...rest: unknown[]) => {
    if (stderr.writableLength < most) return write(text, ...(rest as [])) // As the caller gave them.
    const written = rest.at(-1)
    if (typeof written === 'function') queueMicrotask(() => written())
    return false
  }
  stderr.on('error', () => {})
}
