import type { Principal, Server } from '../../kernel/index.ts'
import { connectText } from '../../transports/memory/index.ts'
import type { OpenWire, Wire } from '../wire.ts'
import { cancelByNotification } from './cancel.ts'

/** A server in the same process: no ports, no child, the real protocol as text. */
export function memoryWire(server: Server, principal?: Principal): OpenWire {
  return (ear) => {
    // As on any wire, nothing is heard while something is being said.
    const end = connectText(server, (text) => queueMicrotask(() => ear.hear(text)), principal)
    let greeted = false
    const wire: Wire = {
      get keeps() {
        return greeted
      },
      async send(message) {
        end.send(JSON.stringify(message))
      },
      cancel: (id, reason) => cancelByNotification(wire, id, reason),
      opened: () => {
        greeted = true
      },
      close: async () => end.close(),
    }
    return wire
  }
}
