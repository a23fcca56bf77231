import type { Client } from '../../client/index.ts'
import type { JsonObject, Server } from '../../kernel/index.ts'
import { type ChosenOffer, chooseTools, eachOnce, type ShownOffer } from './choice.ts'
import { joined, LISTS, type Listing, type ListOf, NOTHING, readListing, turnFor } from './listing.ts'
import type { NameClaim, NamedList, WantedName } from './names.ts'
import type { UpstreamOptions } from './options.ts'
import type { Pins } from './pins/pins.ts'
import { checkIntroduction, soundIn } from './sound.ts'
import { OTHERS_WAIT_MS, within } from './within.ts'

export interface SelectionOptions {
  readonly options: UpstreamOptions
  readonly server: Server
  readonly pins: Pins | undefined
}

/** How many connections that list otherwise than the one that is nobody's are remembered. */
const MOST_ALIKE = 100

/** What an upstream lists, as far as it is known, and what of it is wanted. */
export class Selection {
  readonly #options: SelectionOptions
  #listing: Listing = NOTHING
  /** What connections were told at a time when the one that is nobody's was told this. */
  readonly #alike = new Set<string>()
  #unsound: readonly string[] = []
  #chosen: ChosenOffer | undefined
  /** What the upstream calls its tools, by the names that they are to have. */
  #owns: ReadonlyMap<string, string> | undefined

  constructor(options: SelectionOptions) {
    this.#options = options
  }

  get listing(): Listing {
    return this.#listing
  }

  get isKnown(): boolean {
    return this.#listing !== NOTHING
  }

  /** Whether a connection that is told this may be to another upstream than the one that is known. */
  isOther(mark: string): boolean {
    return mark !== this.#listing.mark && !this.#alike.has(mark)
  }

  /** The upstream has been looked at since a connection was told this. */
  allow(mark: string): void {
    if (this.#alike.size >= MOST_ALIKE) this.#alike.clear()
    this.#alike.add(mark)
  }

  /** Reads all lists, and what another connection lists beside; gives what has come of it to be taken. */
  async read(client: Client, other: Client): Promise<() => void> {
    const { server, options, pins } = this.#options
    checkIntroduction(client, server)
    const beside = other === client ? undefined : readListing(other, true).catch(() => NOTHING) // Its client may have left.
    const own = await readListing(client, this.isKnown)
    const more = beside && (await within(OTHERS_WAIT_MS, beside, server)) // Nor does one that hangs hold up all.
    const listing = joined(own, more ?? NOTHING)
    await turnFor(listing)
    const lists = LISTS.map((list) => [list, soundIn(list, listing[list], server)] as const)
    await turnFor(listing)
    const known = { ...listing, ...Object.fromEntries(lists.map(([list, { sound }]) => [list, sound])) }
    await pins?.prepare(chooseTools(known.tools, options).tools.map(({ own }) => own))
    return () => {
      if (own.mark !== this.#listing.mark) this.#alike.clear()
      this.#listing = known
      this.#unsound = [...own.refused, ...lists.flatMap(([, { problems }]) => problems)]
      this.#choose()
    }
  }

  /** What of it cannot be served at all, and what was said of tools that it has not. */
  get problems(): readonly string[] {
    return this.isKnown ? [...this.#unsound, ...(this.#chosen?.problems ?? [])] : []
  }

  /** What is to be offered; of an upstream that has not been seen yet, what is remembered. */
  choose(): { readonly [list in ListOf]: readonly ShownOffer[] } {
    const { resources, templates, prompts } = this.#listing
    const { tools } = this.#choose()
    const withheld = this.#options.pins?.withheld(tools.map(({ own }) => own)) ?? NONE
    return {
      tools: tools.map((shown) => {
        const reason = withheld.get(shown.own)
        return reason === undefined ? shown : { ...shown, withheld: reason }
      }),
      resources: resources.map(asItIs),
      templates: templates.map(asItIs),
      prompts: eachOnce(prompts).map(asItIs),
    }
  }

  /** What is to have a name here, before which its prefix stands. */
  names(list: NamedList): readonly WantedName[] {
    const shown = list === 'tools' ? this.#choose().tools : eachOnce(this.#listing.prompts).map(asItIs)
    return shown.map(({ own, listed }) => ({ own: String(own['name']), key: String(listed['name']) }))
  }

  /** What speaks for its having this name, before which its prefix stands. */
  claim(name: string): NameClaim | undefined {
    const own = this.ownName(name)
    return own === undefined ? undefined : { isGiven: own !== name, since: this.#options.pins?.since(own) }
  }

  /** What the upstream calls a tool that is to have this name. */
  ownName(name: string): string | undefined {
    const { tools } = this.#chosen ?? this.#choose()
    this.#owns ??= new Map(tools.map(({ own, listed }) => [String(listed['name']), String(own['name'])]))
    return this.#owns.get(name)
  }

  #choose(): ChosenOffer {
    const { options, pins, server } = this.#options
    const listed = this.isKnown ? this.#listing.tools : soundIn('tools', pins?.remembered ?? [], server).sound
    this.#owns = undefined
    this.#chosen = chooseTools(listed, options)
    return this.#chosen
  }
}

const NONE: ReadonlyMap<JsonObject, string> = new Map()

function asItIs(own: JsonObject): ShownOffer {
  return { own, listed: own }
}
