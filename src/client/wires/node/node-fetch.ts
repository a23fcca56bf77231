import type { FetchedAnswer, Fetching } from '../fetching.ts'
import { KeptConnections } from './kept-connections.ts'
import { printRequest } from './print-request.ts'

/** The servers that are spoken to, by their origins. */
const servers = new Map<string, KeptConnections>()

/** How many of them are remembered. */
const MAX_SERVERS = 1000

/** HTTP/1.1 over Node's sockets: what its own client takes in time is several times what a call takes. */
export async function nodeFetch(url: URL, { signal, ...request }: Fetching): Promise<FetchedAnswer> {
  signal.throwIfAborted()
  const bytes = printRequest(url, request)
  return connectionsTo(url).take().ask(bytes, signal)
}

function connectionsTo(url: URL): KeptConnections {
  const known = servers.get(url.origin)
  if (known !== undefined) return known
  if (servers.size === MAX_SERVERS) servers.clear() // What is idle of theirs ends by itself.
  const connections = new KeptConnections(url)
  servers.set(url.origin, connections)
  return connections
}
