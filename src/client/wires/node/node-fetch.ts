import type { FetchedAnswer, Fetching } from '../fetching.ts'
import { KeptConnections } from './kept-connections.ts'
import { printRequest, type TargetHead, targetOf } from './print-request.ts'

/** The connections to servers, by their origins. */
const servers = new Map<string, KeptConnections>()

/** What has been found out about an address. */
interface Address extends TargetHead {
  readonly connections: KeptConnections
}

const addresses = new Map<string, Address>()

/** How many of each are remembered. */
const MAX_REMEMBERED = 1000

/** HTTP/1.1 over Node's sockets: what its own client takes in time is several times what a call takes. */
export function nodeFetch(url: URL, fetching: Fetching): Promise<FetchedAnswer> {
  const { signal } = fetching
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const address = remember(addresses, url.href, () => addressOf(url))
    const request = printRequest(address, fetching)
    address.connections.take().ask(request, { signal, resolve, reject })
  })
}

function addressOf(url: URL): Address {
  const connections = remember(servers, url.origin, () => new KeptConnections(url))
  return { connections, ...targetOf(url) }
}

function remember<Value>(known: Map<string, Value>, key: string, create: () => Value): Value {
  const found = known.get(key)
  if (found !== undefined) return found
  if (known.size === MAX_REMEMBERED) known.clear() // What is idle of theirs ends by itself.
  const created = create()
  known.set(key, created)
  return created
}
