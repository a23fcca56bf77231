import type { Principal, Server } from '../../kernel/index.ts'
import { LARGE, ownTurn } from '../../process/own-turn.ts'
import { connectText } from '../../transports/memory/index.ts'
import type { Ear, OpenWire, Wire } from '../wire.ts'
import { cancelByNotification } from './cancel.ts'

/** A server in the same process: no ports, no child, the real protocol as text. */
export function memoryWire(server: Server, principal?: Principal): OpenWire {
  return (ear) => {
    const end = connectText(server, hearLater(ear), principal)
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

/** As on any wire, nothing is heard while something is being said, and what is large has a turn of its own. */
function hearLater(ear: Ear): (text: string) => void {
  let last: Promise<void> | undefined
  return (text) => {
    if (last === undefined && text.length <= LARGE) return queueMicrotask(() => ear.hear(text))
    const turn = text.length > LARGE ? ownTurn() : undefined
    const heard = Promise.all([last, turn]).then(() => {
      if (last === heard) last = undefined
      ear.hear(text)
    })
    last = heard
    return undefined
  }
}
