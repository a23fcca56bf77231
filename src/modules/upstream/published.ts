import type { JsonObject, Relayed, Server } from '../../kernel/index.ts'
import type { ShownOffer } from './choice.ts'
import { KEYS, LISTS, type ListOf } from './listing.ts'
import { isTooLong, LONGEST_NAME, type NamedList } from './names.ts'
import { withOwnPages } from './own-page.ts'
import { printKey } from './sound.ts'
import { uriAt } from './unlisted.ts'

/** What of an upstream's has which name here. */
export interface Naming {
  readonly name: string
  readonly prefix: string
  /** Whether there is no other upstream. */
  readonly isAlone: boolean
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
  /** By which it is told from all others of the server, with its list. */
  readonly name: string
  /** Its key upstream. */
  readonly own: string
  /** The listing as text, by which a change is known. */
  readonly text: string
}

/** The names of a list, with it. */
type ListNames = ReadonlySet<string>

interface PublishedChange {
  /** The lists that have changed. */
  readonly changed: ReadonlySet<ListOf>
  /** Names that others may have from here on. */
  readonly freed: ListNames
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

/** What pages are called here is known before the tools that they show. */
const PAGES_FIRST = LISTS.toReversed()

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

  #names: { readonly had: ListNames; readonly missed: ListNames } = { had: new Set(), missed: new Set() }

  constructor(server: Server) {
    this.#server = server
  }

  /** Has the server offer what is listed, in its order. */
  publish(all: Record<ListOf, readonly ShownOffer[]>, naming: Naming): PublishedChange {
    const changed = new Set<ListOf>()
    const before = this.#names
    for (const list of PAGES_FIRST) {
      const offered = list === 'tools' ? this.#withPages(all.tools, naming) : all[list]
      const wanted = offered.map((shown) => ({
        shown,
        text: JSON.stringify([
          naming.prefix,
          naming.rank,
          list === 'tools' && naming.tasks,
          shown.own[KEYS[list]],
          shown.listed,
          shown.withheld,
          isNamed(list) &&
            isTooLong(`${naming.prefix}${shown.listed[KEYS[list]]}`, naming.prefix, naming.isAlone),
        ]),
      }))
      const entries = this.#entries[list].map((entry) => this.#explained(list, entry, naming))
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
    this.#names = this.#findNames()
    const { had, missed } = this.#names
    const lost = [...before.had].filter((name) => !had.has(name))
    const waived = [...before.missed].filter((name) => !had.has(name) && !missed.has(name))
    return { changed, freed: new Set([...lost, ...waived]) }
  }

  /** Whether something is left out that wants one of these names. */
  misses(names: ListNames): boolean {
    return [...this.#names.missed].some((name) => names.has(name))
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

  /** The name here of what has one of these names upstream, or is to have it. */
  keyOf(list: ListOf, names: readonly string[]): string | undefined {
    return this.#entries[list].find(({ own, wanted }) => names.includes(own) || names.includes(wanted))?.key
  }

  clear(): void {
    for (const list of LISTS) {
      this.#remove(list, this.#entries[list])
      this.#entries[list] = []
    }
  }

  #findNames(): { readonly had: ListNames; readonly missed: ListNames } {
    const all = LISTS.flatMap((list) => this.#entries[list])
    const isHad = ({ key }: PublishedEntry) => key !== undefined
    return {
      had: new Set(all.filter(isHad).map(({ name }) => name)),
      missed: new Set(all.filter((entry) => !isHad(entry)).map(({ name }) => name)),
    }
  }

  /** What the upstream does not list itself is found by its name, also where another one has it by now or later. */
  #withPages(tools: readonly ShownOffer[], { name, isAlone }: Naming): readonly ShownOffer[] {
    const keys = new Map(this.#entries.resources.map(({ own, key }) => [own, key]))
    return withOwnPages(tools, (uri) => keys.get(uri) ?? (isAlone ? uri : uriAt(name, uri)))
  }

  /** What is still left out may be so for another reason than before. */
  #explained(list: ListOf, entry: PublishedEntry, naming: Naming): PublishedEntry {
    if (entry.key !== undefined) return entry
    const found = this.#keyFor(list, entry.wanted, naming)
    return 'problem' in found ? { ...entry, problem: found.problem } : entry
  }

  /** Whether what was left out could be offered by now. */
  #fitsNow(list: ListOf, { key, wanted }: PublishedEntry, naming: Naming): boolean {
    return key === undefined && 'key' in this.#keyFor(list, wanted, naming)
  }

  #add(list: ListOf, { shown, text, place }: Publishing, naming: Naming): PublishedEntry {
    const { own, listed, withheld } = shown
    const wanted = String(listed[KEYS[list]])
    const found = this.#keyFor(list, wanted, naming)
    const name = `${list} ${'key' in found ? found.key : `${isNamed(list) ? naming.prefix : ''}${wanted}`}`
    const entry = { wanted, own: String(own[KEYS[list]]), name, text }
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
    if (isNamed(list)) return this.#nameFor(list, own, naming)
    if (!this.#server[list].has(own)) return { key: own }
    if (list === 'templates' && own.startsWith(KEPT_BY_ID)) return { shared: true }
    const apart = uriAt(name, own)
    if (list === 'resources' && !this.#server[list].has(apart)) return { key: apart }
    return {
      problem: `${name}: ${printKey(own)} is left out: another upstream has it too. Write ${name} before that one, or put one of them behind a gateway of its own`,
    }
  }

  #nameFor(list: NamedList, own: string, { name, prefix, isAlone, rival }: Naming): PublishedFind {
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
    if (!isTooLong(key, prefix, isAlone)) return { key }
    const mended = prefix === '' ? `Give ${name} a gateway of its own` : `Give ${name} a shorter prefix`
    return leftOut(`its name has more than ${LONGEST_NAME} characters. ${mended}`)
  }
}

type PublishedFind = { readonly key: string } | { readonly problem: string } | { readonly shared: true }

function isNamed(list: ListOf): list is NamedList {
  return list === 'tools' || list === 'prompts'
}
