import { isObject, type Json } from '../jsonrpc/message.ts'
import type { Announcer } from './announcer.ts'
import type { Part } from './lifecycle.ts'
import { ANYTHING, type ServerChange } from './listener.ts'
import type { Server } from './server.ts'

const TOPIC = 'changes'

/** So many different changes wait to be told to the other nodes; past them, anything may have changed. */
const MOST = 1000

/** Tells other nodes of changes made here, and those who listen here of changes made there. */
export function changeBus({ platform, observe }: Server, announcer: Announcer): Part {
  const { store, after, randomId } = platform
  let node = ''
  const waiting = new Map<string, ServerChange>()
  let leave: (() => Promise<void>) | undefined

  const publishAll = () => {
    const changes = waiting.size > MOST ? [ANYTHING] : [...waiting.values()]
    waiting.clear()
    const told = store.publish(TOPIC, { node, changes } as unknown as Json) // Plain values, all of them.
    told.catch((error: unknown) => observe({ kind: 'crashed', error, method: 'changes' }))
  }

  /** However often something changes in one turn, it is told once. */
  const publish = (change: ServerChange) => {
    if (waiting.size === 0) after(0, publishAll)
    if (waiting.size <= MOST) waiting.set(JSON.stringify(change), change)
  }

  const hear = (message: Json) => {
    if (!isObject(message) || message['node'] === node) return
    for (const change of message['changes'] as readonly ServerChange[]) announcer.tellHere(change) // As published.
  }

  return {
    name: 'store',
    open: async () => {
      node = randomId()
      leave = await store.subscribe(TOPIC, hear, () => announcer.tellHere(ANYTHING))
      announcer.publish = publish
    },
    close: async () => {
      announcer.publish = undefined
      await leave?.()
    },
  }
}
