import { answer } from '../asking/answer.ts'
import type { Call, Handler } from '../calls/call.ts'
import { findRelayed } from '../calls/find-relayed.ts'
import type { Result } from '../jsonrpc/message.ts'

/** What answers a method of which only another server knows what it does. */
export function findRelayedMethod({ method, server, principal }: Call): Handler | undefined {
  const offer = findRelayed(method, server.relaying, principal)
  const run = offer?.find(method)
  if (run === undefined) return undefined
  return (call) => answer(call, { offer, run: () => run(call), report: (_offer, output) => output as Result }) // As it was given there.
}
