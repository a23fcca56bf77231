import { setTimeout as sleep } from 'node:timers/promises'
import type { Id, Incoming, Request } from '../../kernel/index.ts'
import type { HostSpeaker } from './speaker.ts'

interface HandedRequest {
  readonly child: HostSpeaker
  readonly request: Request
  /** When it was handed on, as `performance.now()` tells it. */
  readonly since: number
}

/** How long a child may take to answer whoever introduces itself before the next one is asked. */
const INTRODUCE_MS = 1000

/** The client's requests that have not been answered, and which child is to. */
export class Underway {
  readonly #requests = new Map<Id, HandedRequest>()
  /** How many of them each child has. */
  readonly #counts = new Map<HostSpeaker, number>()
  readonly #whenIdle = new Map<HostSpeaker, () => void>()

  add(child: HostSpeaker, request: Request): void {
    const before = this.#requests.get(request.id)
    if (before !== undefined) this.#count(before.child, -1)
    this.#requests.set(request.id, { child, request, since: performance.now() })
    this.#count(child, 1)
  }

  ownerOf(id: Id): HostSpeaker | undefined {
    return this.#requests.get(id)?.child
  }

  /** The request that a child's answer belongs to, which is done with it. */
  take(child: HostSpeaker, id: Id): Request | undefined {
    const found = this.#requests.get(id)
    if (found?.child !== child) return undefined
    this.#requests.delete(id)
    this.#count(child, -1)
    return found.request
  }

  of(child: HostSpeaker): readonly HandedRequest[] {
    return [...this.#requests.values()].filter((one) => one.child === child)
  }

  /** Resolves when a child has answered whoever introduces itself, so that the next one can be told of it, or never will. */
  async introduced(child: HostSpeaker): Promise<void> {
    const late = performance.now() + INTRODUCE_MS
    const waits = () => this.of(child).some(({ request }) => request.method === 'initialize')
    while (!child.isGone && waits() && performance.now() < late) await sleep(5)
  }

  /** Takes back what a child has not answered to whoever introduces itself. */
  takeIntroductions(child: HostSpeaker): readonly Request[] {
    const found = this.of(child).filter(({ request }) => request.method === 'initialize')
    return found.flatMap(({ request }) => this.take(child, request.id) ?? [])
  }

  /** Resolves when a child has answered all of its requests, or they are others' to answer. */
  async idle(child: HostSpeaker): Promise<void> {
    if (!this.#counts.has(child)) return
    await new Promise<void>((resolve) => {
      this.#whenIdle.set(child, resolve)
    })
    this.#whenIdle.delete(child)
  }

  #count(child: HostSpeaker, change: 1 | -1): void {
    const count = (this.#counts.get(child) ?? 0) + change
    this.#counts.set(child, count)
    if (count > 0) return
    this.#counts.delete(child)
    this.#whenIdle.get(child)?.()
  }
}

/** The requests in a message, or in a batch of them. */
export function requestsIn(incoming: Incoming): readonly Request[] {
  if (incoming.kind === 'request') return [incoming]
  return incoming.kind === 'batch' ? incoming.entries.flatMap((entry) => requestsIn(entry)) : []
}
