/** Somebody who has to ask elsewhere to hear when a resource changes. */
export interface InterestWatcher {
  /** A client wants to hear of a resource from here on, by a call where it says so by one; each beginning has its end. */
  begin(uri: string, link: object, call?: object): void
  end(uri: string, link: object, call?: object): void
}

/** Whoever watches, and on which conversation a client wants to hear. */
export interface Interested {
  readonly server: { readonly relaying: { readonly interest: Iterable<InterestWatcher> } }
}

/** What a subscription to a resource costs us beside the letters of its URI, roughly. */
export const SUBSCRIPTION = 64

/** The resources that a handshake client subscribed to; whoever watches is told. */
export class SubscribedUris implements Iterable<string> {
  readonly #link: Interested
  readonly #uris = new Set<string>()
  #left = false

  constructor(link: Interested) {
    this.#link = link
  }

  get size(): number {
    return this.#uris.size
  }

  has(uri: string): boolean {
    return this.#uris.has(uri)
  }

  add(uri: string): void {
    if (this.#uris.has(uri)) return
    this.#uris.add(uri)
    beginInterest(uri, this.#link)
  }

  delete(uri: string): boolean {
    const was = this.#uris.delete(uri)
    if (was && !this.#left) endInterest(uri, this.#link)
    return was
  }

  /** These and no others. */
  replace(uris: readonly string[]): void {
    for (const uri of [...this.#uris]) if (!uris.includes(uri)) this.delete(uri)
    for (const uri of uris) this.add(uri)
  }

  /** Its client hears nothing any more; what it had subscribed to is still known. */
  leave(): void {
    if (!this.#left) for (const uri of this.#uris) endInterest(uri, this.#link)
    this.#left = true
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#uris[Symbol.iterator]()
  }
}

export function beginInterest(uri: string, link: Interested, call?: object): void {
  for (const watcher of link.server.relaying.interest) watcher.begin(uri, link, call)
}

export function endInterest(uri: string, link: Interested, call?: object): void {
  for (const watcher of link.server.relaying.interest) watcher.end(uri, link, call)
}
