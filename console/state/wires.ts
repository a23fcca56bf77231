import type { Client } from '../../src/client/client.ts'
import { connectBy, type Wires } from '../../src/client/connect-by.ts'
import { type ConnectOptions, DEFAULTS } from '../../src/client/options.ts'
import type { OpenWire, Sent } from '../../src/client/wire.ts'
import { globalFetch } from '../../src/client/wires/fetching.ts'
import { httpWire } from '../../src/client/wires/http.ts'
import { ssePairWire } from '../../src/client/wires/sse-pair.ts'
import type { ConsoleHello } from '../../src/console/events.ts'
import { parseJson } from '../model/json.ts'

import { keyOf } from './stream.ts'

/** A message as this page sent or heard it. */
export interface WireEntry {
  readonly sent: boolean
  readonly message: unknown
}

export interface Reaching {
  readonly hello: ConsoleHello
  readonly apiKey: string
  /** Sees every message of the conversation. */
  readonly tap?: (entry: WireEntry) => void
}

/** A client of the server whose page this is; the oldest revision goes over its own pair where there is one. */
export function reach({ hello, apiKey, tap }: Reaching, options: ConnectOptions): Promise<Client> {
  const at = (address: string) => new URL(address, location.href)
  const pair = hello.sse !== null && options.revision === hello.revisions[0] ? hello.sse : undefined
  // A server on stdio has a listener for its console alone, which that key opens as well.
  const key = hello.opensMcp ? keyOf(location.hash) : apiKey
  const headers = key === '' ? {} : { authorization: `Bearer ${key}` }
  return connectBy(
    (settled, limits): Wires => {
      const fetching = {
        headers,
        fetch: globalFetch,
        timeoutMs: settled.timeoutMs,
        ...limits,
      }
      const wire =
        pair === undefined ? httpWire(at(hello.endpoint), fetching) : ssePairWire(at(pair), fetching)
      return { first: tap === undefined ? wire : tapped(wire, tap) }
    },
    { ...DEFAULTS, info: { name: 'perigee-console', title: 'Perigee console', version: '1' }, ...options },
  )
}

function tapped(open: OpenWire, tap: (entry: WireEntry) => void): OpenWire {
  return async (ear) => {
    const wire = await open({
      hear: (text, during) => {
        tap({ sent: false, message: parseJson(text) })
        ear.hear(text, during)
      },
      awaits: (id) => ear.awaits(id),
      fail: (error, id) => ear.fail(error, id),
      leftOpen: (id) => ear.leftOpen?.(id),
      warn: (error) => ear.warn(error),
      reopen: () => ear.reopen(),
    })
    return {
      send: (message: Sent, headers) => {
        tap({ sent: true, message })
        return wire.send(message, headers)
      },
      cancel: (id, reason) => wire.cancel(id, reason),
      agreed: (revision) => wire.agreed?.(revision),
      opened: () => wire.opened(),
      get keeps() {
        return wire.keeps
      },
      close: () => wire.close(),
    }
  }
}
