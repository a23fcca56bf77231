import type { Call } from '../call.ts'
import { checkObject } from '../check/params.ts'
import { Fault } from '../faults.ts'
import type { JsonObject, Result } from '../jsonrpc/message.ts'
import type { Link } from '../link.ts'
import { META } from '../meta.ts'
import { hasSubscribable } from './capabilities.ts'
import { isSubscribable } from './resources.ts'

export type ListName = 'tools' | 'resources' | 'prompts'

/** Something clients may want to be told. */
export type Change = { readonly list: ListName } | { readonly resource: string }

/** Somebody who is told of changes; `end` is called when the server stops. */
export interface Listener {
  tell(change: Change): void
  end(): void
}

/** A handshake client hears of every list that changes, and of the resources it subscribed to. */
export function broadcastTo(link: Link): Listener {
  return {
    tell(change) {
      if (link.state !== 'operating') return
      if ('list' in change) link.notify(`notifications/${change.list}/list_changed`)
      else if (link.subscriptions.has(change.resource)) {
        link.notify('notifications/resources/updated', { uri: change.resource })
      }
    },
    end() {},
  }
}

interface Filter {
  readonly toolsListChanged?: true
  readonly promptsListChanged?: true
  readonly resourcesListChanged?: true
  readonly resourceSubscriptions?: readonly string[]
}

/** Keeps a call open and tells its client, on it alone, of what it asked to hear. */
export function listen(call: Call): Promise<Result> {
  const { server, id } = call
  const filter = honoured(checkObject(call.params, 'notifications'), call)
  const meta = { [META.subscriptionId]: id }
  return new Promise((resolve) => {
    const listener: Listener = {
      tell(change) {
        if (wants(filter, change)) tell(call, change, meta)
      },
      end() {
        server.listeners.delete(listener)
        resolve({ _meta: meta })
      },
    }
    call.signal.addEventListener('abort', () => server.listeners.delete(listener), { once: true })
    server.listeners.add(listener)
    call.link.rest(call, 'listening')
    call.notify('notifications/subscriptions/acknowledged', { notifications: filter, _meta: meta })
  })
}

function tell(call: Call, change: Change, _meta: JsonObject): void {
  if ('list' in change) call.notify(`notifications/${change.list}/list_changed`, { _meta })
  else call.notify('notifications/resources/updated', { uri: change.resource, _meta })
}

const FLAGS = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const

function wants(filter: Filter, change: Change): boolean {
  if ('list' in change) return filter[FLAGS[change.list]] === true
  return filter.resourceSubscriptions?.includes(change.resource) ?? false
}

/** What we cannot honour is left out, which is how the client learns of it. */
function honoured(asked: JsonObject, call: Call): Filter {
  const { server } = call
  const uris = asked['resourceSubscriptions']
  if (uris !== undefined && !(Array.isArray(uris) && uris.every((uri) => typeof uri === 'string'))) {
    throw new Fault(
      'invalidParams',
      'Invalid params: notifications.resourceSubscriptions: expected an array of strings',
    )
  }
  return {
    ...(asked['toolsListChanged'] === true && server.offers.tools && { toolsListChanged: true }),
    ...(asked['promptsListChanged'] === true && server.offers.prompts && { promptsListChanged: true }),
    ...(asked['resourcesListChanged'] === true && server.offers.resources && { resourcesListChanged: true }),
    ...(Array.isArray(uris) &&
      hasSubscribable(server) && {
        resourceSubscriptions: uris.filter((uri) => isSubscribable(uri, call)),
      }),
  }
}
