import type { FetchedAnswer, Fetching } from '../fetching.ts'
import { KeptConnections } from './kept-connections.ts'
import { printRequest } from './print-request.ts'

/** The servers that are spoken to, by their origins. */
const servers = new Map<string, KeptConnections>()

/** How many of them are remembered. */
const MAX_SERVERS = 1000

/** HTTP/1.1 over Node's sockets: what its own client takes in time is several times what a call takes. */
export function nodeFetch(url: URL, fetching: Fetching): Promise<FetchedAnswer> {
  const { signal } = fetching
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const request = printRequest(url, fetching)
    connectionsTo(url).take().ask(request, { signal, resolve, reject })
  })
}

function connectionsTo(url: URL): KeptConnections {
  const known = servers.get(url.origin)
  if (known !== undefined) return known
  if (servers.size === MAX_SERVERS) servers.clear() // What is idle of theirs ends by itself.
  const connections = new KeptConnections(url)
  servers.set(url.origin, connections)
  return connections
}
