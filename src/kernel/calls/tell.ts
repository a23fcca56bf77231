import type { Dialect } from '../dialect.ts'
import { Fault, INTERNAL, Told, toWire } from '../faults.ts'
import type { WireError } from '../jsonrpc/message.ts'
import type { Revision } from '../revisions/revision.ts'

/**
 * What a client is told of an error: in the words of its revision and of the server, with as much beside as that says.
 * @example const error = tell(new Fault('unknownTool', 'Unknown tool: sum'), call.peer.revision, server)
 */
export function tell(
  error: unknown,
  revision: Pick<Revision, 'codes'> | undefined,
  { dialect }: { readonly dialect: Pick<Dialect, 'codes' | 'details'> },
): WireError {
  const wire = toWire(error, revision?.codes ?? {}, dialect.codes)
  if (dialect.details === 'few' || error instanceof Told) return wire
  const { details } = error instanceof Fault ? error : INTERNAL
  if (details !== undefined) return { ...wire, data: typeof details === 'function' ? details() : details }
  return wire.data === undefined ? { ...wire, data: { detail: wire.message } } : wire
}
