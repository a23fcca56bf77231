import type { AuthorCall, Call } from '../../src/kernel/index.ts'

/** The same call as the kernel sees it, for what authors have no business with. */
export function kernelCall(call: AuthorCall): Call {
  return call as Call // It is one.
}
