import { isObject, type Json } from '../jsonrpc/message.ts'
import type { Announcer } from './announcer.ts'
import type { Part } from './lifecycle.ts'
import { ANYTHING, type ListName, type ServerChange } from './listener.ts'
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
    const { changes } = message
    if (Array.isArray(changes)) for (const change of changes) if (isChange(change)) announcer.tellHere(change)
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

/** Whether it is one that can be told here: that of a newer server may be none, and others may say anything. */
function isChange(value: unknown): value is ServerChange {
  if (!isObject(value)) return false
  const { list, audiences, resource, task, anything } = value
  if (list !== undefined) return LISTS.has(list) && Array.isArray(audiences) && audiences.every(isAudience)
  return typeof resource === 'string' || isTask(task) || anything === true
}

function isAudience(value: unknown): boolean {
  return isObject(value) && Array.isArray(value['scopes'])
}

function isTask(value: unknown): boolean {
  return isObject(value) && typeof value['id'] === 'string' && isObject(value['outcome'])
}

const LISTS: ReadonlySet<unknown> = new Set<ListName>(['tools', 'resources', 'prompts'])
