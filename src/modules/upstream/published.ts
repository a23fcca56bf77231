import type { JsonObject, Relayed, Server } from '../../kernel/index.ts'
import type { ShownOffer } from './choice.ts'
import { KEYS, LISTS, type ListOf } from './listing.ts'
import { LONGEST_NAME } from './names.ts'
import { printKey } from './sound.ts'

/** What of an upstream's has which name here. */
export interface Naming {
  readonly name: string
  readonly prefix: string
  /** After how many other upstreams its own stand on lists. */
  readonly rank: number
  /** In which form its calls become tasks, which is not listed with each. */
  readonly tasks: string
  /** Who has a better claim to the name of a tool, and why. */
  readonly rival: (key: string) => string | undefined
  /** Makes what is offered of what the upstream lists, by the name that it has here. */
  readonly define: (list: ListOf, own: JsonObject, named: JsonObject) => Relayed
}

interface PublishedEntry {
  /** Undefined for what is left out. */
  readonly key: string | undefined
  readonly problem?: string
  /** As it is to be called. */
  readonly wanted: string
  /** Its key upstream. */
  readonly own: string
  /** The listing as text, by which a change is known. */
  readonly text: string
}

interface Publishing {
  readonly shown: ShownOffer
  readonly text: string
  readonly place: number
}

/** More than an upstream lists, and than a server has of its own, which stands before all that is relayed. */
const ROOM = 1_000_000

/** Where an upstream's stands on a list, whenever it has come to stand there. */
function placeOf({ rank }: Naming, at: number): number {
  return (rank + 1) * ROOM + at
}

/** What Perigee's servers keep for a client has an id that no other has: one entry of the list leads to all of it. */
const KEPT_BY_ID = 'perigee://'

/** What an upstream has on the lists of a server. */
export class Published {
  readonly #server: Server
  readonly #entries: Record<ListOf, readonly PublishedEntry[]> = {
    tools: [],
    resources: [],
    templates: [],
    prompts: [],
  }

  constructor(server: Server) {
    this.#server = server
  }

  /** Has the server offer what is listed, in its order, and gives the lists that have changed by it. */
  publish(all: Record<ListOf, readonly ShownOffer[]>, naming: Naming): ReadonlySet<ListOf> {
    const changed = new Set<ListOf>()
    for (const list of LISTS) {
      const wanted = all[list].map((shown) => ({
        shown,
        text: JSON.stringify([
          naming.prefix,
          naming.rank,
          list === 'tools' && naming.tasks,
          shown.own[KEYS[list]],
          shown.listed,
          shown.withheld,
        ]),
      }))
      const entries = this.#entries[list]
      const same = entries.findIndex(
        (entry, at) => entry.text !== wanted[at]?.text || this.#fitsNow(list, entry, naming),
      )
      const kept = same < 0 ? entries.length : same
      const removed = entries.slice(kept)
      this.#remove(list, removed)
      const added = wanted
        .slice(kept)
        .map(({ shown, text }, at) =>
          this.#add(list, { shown, text, place: placeOf(naming, kept + at) }, naming),
        )
      if ([...removed, ...added].some(({ key }) => key !== undefined)) changed.add(list)
      this.#entries[list] = [...entries.slice(0, kept), ...added]
    }
    return changed
  }

  /** What cannot be offered, and how that is mended. */
  get leftOut(): readonly string[] {
    return LISTS.flatMap((list) => this.#entries[list].flatMap(({ problem }) => problem ?? []))
  }

  /** How much of each list is offered. */
  get offered(): { readonly [list: string]: number } {
    return Object.fromEntries(
      LISTS.map((list) => [
        list,
        this.#entries[list].filter(({ key }) => key !== undefined && this.#server[list].has(key)).length,
      ]),
    )
  }

  /** What the upstream calls one of its resources that stands on the list. */
  ownUri(uri: string): string | undefined {
    return this.#entries.resources.find(({ key }) => key === uri)?.own
  }

  clear(): void {
    for (const list of LISTS) {
      this.#remove(list, this.#entries[list])
      this.#entries[list] = []
    }
  }

  /** Whether what was left out could be offered by now. */
  #fitsNow(list: ListOf, { key, wanted }: PublishedEntry, naming: Naming): boolean {
    return key === undefined && 'key' in this.#keyFor(list, wanted, naming)
  }

  #add(list: ListOf, { shown, text, place }: Publishing, naming: Naming): PublishedEntry {
    const { own, listed, withheld } = shown
    const wanted = String(listed[KEYS[list]])
    const entry = { wanted, own: String(own[KEYS[list]]), text }
    const found = this.#keyFor(list, wanted, naming)
    if ('shared' in found) return { ...entry, key: undefined }
    if ('problem' in found) return { ...entry, key: undefined, problem: found.problem }
    const { key } = found
    const named = key === wanted ? listed : { ...listed, [KEYS[list]]: key }
    const relayed = { ...naming.define(list, own, named), place }
    if (withheld === undefined)
      this.#server[list].add(relayed as never) // Each of the lists takes what is relayed.
    else {
      const { name: upstream } = naming
      this.#server.relaying.withheld.set(key, { scopes: relayed.scopes ?? [], reason: withheld, upstream })
    }
    return { ...entry, key }
  }

  #remove(list: ListOf, entries: readonly PublishedEntry[]): void {
    for (const { key } of entries)
      if (key !== undefined && !this.#server[list].remove(key) && list === 'tools')
        this.#server.relaying.withheld.delete(key)
  }

  #keyFor(list: ListOf, own: string, naming: Naming): PublishedFind {
    const { name } = naming
    if (list === 'tools' || list === 'prompts') return this.#nameFor(list, own, naming)
    if (!this.#server[list].has(own)) return { key: own }
    if (list === 'templates' && own.startsWith(KEPT_BY_ID)) return { shared: true }
    const apart = `${own}${own.includes('?') ? '&' : '?'}upstream=${name}`
    if (list === 'resources' && !this.#server[list].has(apart)) return { key: apart }
    return { problem: `${name}: ${printKey(own)} is left out: another upstream has it too` }
  }

  #nameFor(list: 'tools' | 'prompts', own: string, { name, prefix, rival }: Naming): PublishedFind {
    const key = `${prefix}${own}`
    const noun = list === 'tools' ? 'tool' : 'prompt'
    const otherwise = list === 'tools' ? ', or the tool another name by rename' : ''
    const leftOut = (why: string) => ({
      problem: `${name}: the ${noun} ${printKey(key)} is left out: ${why}${otherwise}`,
    })
    const isTaken =
      this.#server[list].has(key) || (list === 'tools' && this.#server.relaying.withheld.has(key))
    if (isTaken) return leftOut(`there is one of this name already. Give ${name} another prefix`)
    const better = list === 'tools' ? rival(key) : undefined
    if (better !== undefined) return leftOut(`${better}. Give ${name} another prefix`)
    if (prefix === '' || key.length <= LONGEST_NAME) return { key }
    return leftOut(`its name has more than ${LONGEST_NAME} characters. Give ${name} a shorter prefix`)
  }
}

type PublishedFind = { readonly key: string } | { readonly problem: string } | { readonly shared: true }
