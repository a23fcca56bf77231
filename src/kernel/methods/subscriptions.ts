import { sizeOf } from '../budgets/check.ts'
import { CALL } from '../budgets/weight.ts'
import type { Call } from '../calls/call.ts'
import { beginInterest, endInterest } from '../calls/interest.ts'
import type { Listener, ServerChange } from '../calls/listener.ts'
import { checkObject } from '../check/params.ts'
import type { JsonObject, Result } from '../jsonrpc/message.ts'
import { META } from '../meta.ts'
import { toDetailedTask } from '../tasks/wire.ts'
import { concerns, isOn, LISTS } from './broadcast.ts'
import { type Filter, readFilter, wantsOf } from './listen-filter.ts'
import { endedTasks } from './task-methods.ts'

/** Keeps a call open and tells its client, on it alone, of what it asked to hear. */
export function listen(call: Call): Promise<Result> {
  const filter = readFilter(checkObject(call.params, 'notifications'), call)
  return filter instanceof Promise ? filter.then((read) => stay(read, call)) : stay(filter, call)
}

function stay(filter: Filter, call: Call): Promise<Result> {
  const { server, id, link, aborted } = call
  if (aborted) return Promise.resolve({}) // It was called off while its filter was read, and nobody would end it.
  const size = CALL + sizeOf(filter)
  try {
    server.held.add(link, size)
  } catch (error) {
    call.stop() // It may have begun to watch tasks.
    throw error
  }
  const meta = { [META.subscriptionId]: id }
  const wants = wantsOf(filter)
  const sees = server.front?.watch(call)
  const uris = filter.resourceSubscriptions ?? []
  return new Promise((resolve) => {
    const listener: Listener = {
      tell(change) {
        if ('anything' in change) return tellOfAll(filter, listener, call)
        if ('list' in change && !concerns(change, call.principal, sees)) return
        if (!isOn(link, change)) return
        if (wants(change)) tell(call, change, meta)
      },
      end() {
        call.stop() // Whatever else hears for it ends too.
        resolve({ _meta: meta })
      },
    }
    const leave = () => {
      for (const uri of uris) endInterest(uri, link, call)
      server.listeners.delete(listener)
      server.held.remove(link, size)
    }
    call.signal.addEventListener('abort', leave)
    server.listeners.add(listener)
    for (const uri of uris) beginInterest(uri, link, call)
    link.rest(call, 'listening')
    call.notify('notifications/subscriptions/acknowledged', { notifications: filter, _meta: meta })
    if (filter.taskIds !== undefined) void tellEnded(filter.taskIds, listener, call)
  })
}

/** Everything that a subscription names may have changed. */
function tellOfAll(filter: Filter, listener: Listener, call: Call): void {
  const audiences = [{ owner: undefined, scopes: [] }]
  for (const list of LISTS) listener.tell({ list, audiences })
  for (const resource of filter.resourceSubscriptions ?? []) listener.tell({ resource })
  if (filter.taskIds !== undefined) void tellEnded(filter.taskIds, listener, call)
}

/** A task may have ended before the client began to listen. */
async function tellEnded(ids: readonly string[], listener: Listener, call: Call): Promise<void> {
  const ended = await endedTasks(ids, call).catch(() => []) // The store has told its observer; the client can still look.
  for (const task of ended) listener.tell({ task })
}

function tell(call: Call, change: ServerChange, _meta: JsonObject): void {
  if ('list' in change) call.notify(`notifications/${change.list}/list_changed`, { _meta })
  if ('resource' in change) call.notify('notifications/resources/updated', { uri: change.resource, _meta })
  if ('task' in change) call.notify('notifications/tasks', { ...toDetailedTask(change.task), _meta })
}
