import { isFor } from '../callers/audience.ts'
import type { Principal } from '../callers/principal.ts'
import type { Link } from '../calls/link.ts'
import type { ChangedList, Listener, ServerChange } from '../calls/listener.ts'
import type { ToolFront } from '../catalogue/front.ts'

/** A handshake client hears of every list that changes, of the resources it subscribed to, and of tasks it has begun. */
export function broadcastTo(link: Link): Listener {
  const sees = link.server.front?.watch(link)
  const listener: Listener = {
    tell(change) {
      if (link.state !== 'operating') return
      if ('anything' in change) tellOfEverything(link)
      if ('list' in change && concerns(change, link.principal, sees)) {
        link.notify(`notifications/${change.list}/list_changed`)
      }
      if ('task' in change) listener.followed?.get(change.task.id)?.(change.task)
      if ('resource' in change && isOn(link, change) && link.subscriptions.has(change.resource)) {
        link.notify('notifications/resources/updated', { uri: change.resource })
      }
    },
    end() {},
  }
  return listener
}

/** Whether a change is told on this conversation. */
export function isOn(link: Link, change: ServerChange): boolean {
  const told = 'link' in change ? change.link : undefined
  return told === undefined || told === link
}

export const LISTS = ['tools', 'resources', 'prompts'] as const

/** Its client looks again at whatever it has looked at. */
function tellOfEverything(link: Link): void {
  const { offers } = link.server
  for (const list of LISTS) if (offers[list]) link.notify(`notifications/${list}/list_changed`)
  for (const uri of link.subscriptions) link.notify('notifications/resources/updated', { uri })
}

/** Whether a client would see that a list has changed. */
export function concerns(
  { list, audiences }: ChangedList,
  principal: Principal | undefined,
  sees: ReturnType<ToolFront['watch']> | undefined,
): boolean {
  if (sees === undefined || list !== 'tools') return audiences.some((audience) => isFor(audience, principal))
  const own = audiences.filter((audience) => isFor(audience, principal))
  return own.length > 0 && sees(own)
}
