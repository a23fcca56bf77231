import {
  type Call,
  checkString,
  cut,
  Fault,
  isFor,
  isGranted,
  isObject,
  type KernelObserver,
  type Link,
  type Listener,
  type Middleware,
  type Result,
} from '../../kernel/index.ts'
import { changing } from '../changing.ts'

/** A handshake client can subscribe to single prompts, and is told when the list they are on changes. */
export function promptSubscriptions(): { readonly middleware: Middleware; readonly observe: KernelObserver } {
  const subscribed = new Map<Link, SubscribedPrompts>()
  const subscribe = (call: Call): Result => {
    const found = subscribed.get(call.link) ?? new SubscribedPrompts(call.link)
    subscribed.set(call.link, found)
    found.names.add(findPrompt(call))
    return {}
  }
  const unsubscribe = (call: Call): Result => {
    const name = checkString(call.params, 'name')
    subscribed.get(call.link)?.names.delete(call.server.prompts.find(name, call.owner)?.key ?? name)
    return {}
  }
  const methods = new Map<string, Middleware>([
    ['prompts/subscribe', subscribe],
    ['prompts/unsubscribe', unsubscribe],
    ['initialize', (call, next) => changing(next(call), declare)],
  ])
  const middleware: Middleware = (call, next) => {
    const offered = call.peer.revision.opening === 'handshake' ? methods.get(call.method) : undefined
    return offered === undefined ? next(call) : offered(call, next)
  }
  const forget: KernelObserver = (event) => {
    if (event.kind !== 'link-closed') return
    subscribed.get(event.link)?.end()
    subscribed.delete(event.link)
  }
  return { middleware, observe: forget }
}

/** What one client subscribed to: only a client that stays connected can be told of anything. */
class SubscribedPrompts implements Listener {
  readonly names = new Set<string>()
  readonly #link: Link

  constructor(link: Link) {
    this.#link = link
    link.server.listeners.add(this)
  }

  tell: Listener['tell'] = (change) => {
    const { state, principal } = this.#link
    if (state !== 'operating' || !('list' in change) || change.list !== 'prompts') return
    if (!change.audiences.some((audience) => isFor(audience, principal))) return
    // A list that has changed may have another prompt of the same name.
    for (const name of this.names) this.#link.notify('notifications/prompts/updated', { name })
  }

  end(): void {
    this.#link.server.listeners.delete(this)
  }
}

function findPrompt({ params, server, owner, principal }: Call): string {
  const name = checkString(params, 'name')
  const prompt = server.prompts.find(name, owner)
  if (prompt !== undefined && isGranted(prompt.scopes, principal)) return prompt.key
  const requestedPrompt = cut(name)
  throw new Fault('unknownPrompt', `Unknown prompt: ${requestedPrompt}`, undefined, { requestedPrompt })
}

function declare(result: Result): Result {
  const { capabilities } = result
  const prompts = isObject(capabilities) ? capabilities['prompts'] : undefined
  if (!isObject(prompts)) return result
  return {
    ...result,
    capabilities: { ...(capabilities as object), prompts: { subscribe: true, ...prompts } },
  }
}
