import type { JsonObject, Relayed, Server } from '../../kernel/index.ts'
import type { Shown } from './choice.ts'
import { LISTS, type ListOf } from './listing.ts'

/** What of an upstream's has which name here. */
export interface Naming {
  readonly name: string
  readonly prefix: string
  /** Told of what cannot be offered. */
  readonly leaveOut: (problem: string) => void
  /** Makes what is offered of what the upstream lists, by the name that it has here. */
  readonly define: (list: ListOf, own: JsonObject, named: JsonObject) => Relayed
}

interface PublishedEntry {
  readonly key: string
  /** Its key upstream. */
  readonly own: string
  /** The listing as text, by which a change is known. */
  readonly text: string
}

const KEYS = { tools: 'name', resources: 'uri', templates: 'uriTemplate', prompts: 'name' } as const

/** Longer names are cut or refused by hosts, which put a name of their own before them. */
const LONGEST_NAME = 60

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
  publish(all: Record<ListOf, readonly Shown[]>, naming: Naming): ReadonlySet<ListOf> {
    const changed = new Set<ListOf>()
    for (const list of LISTS) {
      const wanted = all[list].map((shown) => ({
        shown,
        text: JSON.stringify([naming.prefix, shown.own[KEYS[list]], shown.listed, shown.withheld]),
      }))
      const entries = this.#entries[list]
      const same = entries.findIndex(({ text }, at) => text !== wanted[at]?.text)
      const kept = same < 0 ? entries.length : same
      this.#remove(list, entries.slice(kept))
      const added = wanted.slice(kept).flatMap(({ shown, text }) => {
        const key = this.#add(list, shown, naming)
        return key === undefined ? [] : [{ key, own: String(shown.own[KEYS[list]]), text }]
      })
      if (kept < entries.length || added.length > 0) changed.add(list)
      this.#entries[list] = [...entries.slice(0, kept), ...added]
    }
    return changed
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

  #add(list: ListOf, { own, listed, withheld }: Shown, naming: Naming): string | undefined {
    const wanted = String(listed[KEYS[list]])
    const key = this.#keyFor(list, wanted, naming)
    if (key === undefined) return undefined
    const named = key === wanted ? listed : { ...listed, [KEYS[list]]: key }
    const relayed = naming.define(list, own, named)
    if (withheld === undefined)
      this.#server[list].add(relayed as never) // Each of the lists takes what is relayed.
    else this.#server.relaying.withheld.set(key, { scopes: relayed.scopes ?? [], reason: withheld })
    return key
  }

  #remove(list: ListOf, entries: readonly PublishedEntry[]): void {
    for (const { key } of entries)
      if (!this.#server[list].remove(key) && list === 'tools') this.#server.relaying.withheld.delete(key)
  }

  #keyFor(list: ListOf, own: string, naming: Naming): string | undefined {
    const { name, leaveOut } = naming
    if (list === 'tools' || list === 'prompts') return this.#nameFor(list, own, naming)
    if (!this.#server[list].has(own)) return own
    const apart = `${own}${own.includes('?') ? '&' : '?'}upstream=${name}`
    if (list === 'resources' && !this.#server[list].has(apart)) return apart
    leaveOut(`${name}: ${own} is left out: another upstream has it too. Leave one of them out`)
    return undefined
  }

  #nameFor(list: 'tools' | 'prompts', own: string, { name, prefix, leaveOut }: Naming): string | undefined {
    const key = `${prefix}${own}`
    const noun = list === 'tools' ? 'tool' : 'prompt'
    if (this.#server[list].has(key)) {
      leaveOut(
        `${name}: the ${noun} ${key} is left out: there is one of this name already. Give ${name} another prefix`,
      )
      return undefined
    }
    if (prefix === '' || key.length <= LONGEST_NAME) return key
    leaveOut(
      `${name}: the ${noun} ${key} is left out: its name has more than ${LONGEST_NAME} characters. Give ${name} a shorter prefix`,
    )
    return undefined
  }
}
