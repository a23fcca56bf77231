import {
  type Call,
  FAULTS,
  Fault,
  isGranted,
  isObject,
  type JsonObject,
  type RelayedExtensions,
  type Server,
  Told,
} from '../../kernel/index.ts'
import type { Listing } from './listing.ts'
import type { UpstreamOptions } from './options.ts'
import type { UpstreamRelay } from './relay.ts'
import { TASKS } from './upstream-task.ts'
import { firstOf, OTHERS_WAIT_MS, within } from './within.ts'

/** What follows here from what is offered, or is mapped record to record. */
const OWN = [TASKS, 'io.modelcontextprotocol/ui']

/** So many pages of a list are read of each upstream. */
const MOST_PAGES = 100

export interface UpstreamExtensionsOptions {
  readonly name: string
  readonly server: Server
  readonly options: UpstreamOptions
  readonly relay: UpstreamRelay
  readonly listing: () => Listing
}

/** What an upstream has beyond the protocol; only without a handshake are there words for it. */
export class UpstreamExtensions implements RelayedExtensions {
  readonly #options: UpstreamExtensionsOptions

  constructor(options: UpstreamExtensionsOptions) {
    this.#options = options
  }

  get upstream(): string {
    return this.#options.name
  }

  get scopes(): readonly string[] {
    return this.#options.options.scopes ?? []
  }

  get declared(): JsonObject {
    const { extensions } = this.#options.listing().capabilities
    const all = Object.entries(isObject(extensions) ? extensions : {})
    return Object.fromEntries(all.filter(([id]) => !OWN.includes(id)))
  }

  find(method: string): ReturnType<RelayedExtensions['find']> {
    if (!hasAny(this)) return undefined
    const all = [...this.#options.server.relaying.extensions] as UpstreamExtensions[] // Nobody else adds any.
    const having = all.filter(hasAny)
    return (call) => answerOf(having, method, call as Call) // The kernel's own face.
  }

  async ask(call: Call, more: JsonObject = {}): Promise<unknown> {
    try {
      return await this.#options.relay.answer(call, more)
    } catch (error) {
      const isUnknown = error instanceof Told && error.wire.code === FAULTS.methodNotFound.code
      throw isUnknown ? unknownMethod(call, error.wire.message) : error
    }
  }
}

function hasAny({ declared }: RelayedExtensions): boolean {
  return Object.keys(declared).length > 0
}

/** Which of them knows a method only they can tell, so that all are asked that are for the caller. */
async function answerOf(having: readonly UpstreamExtensions[], method: string, call: Call): Promise<unknown> {
  const open = having.filter(({ scopes }) => isGranted(scopes, call.principal))
  const list = open.length > 1 ? LISTS.get(method) : undefined
  const given = await (list === undefined ? askEach(call, open) : merge(call, list, open))
  const isShared =
    call.principal?.scopes === undefined || !isObject(given) || given['cacheScope'] !== 'public'
  return isShared ? given : { ...given, cacheScope: 'private' } // No upstream knows that others are given less.
}

/** Over HTTP a method that nobody has is answered with a status of its own. */
function unknownMethod({ outlet, request }: Call, message: string): Fault {
  const fault = new Fault('methodNotFound', message)
  outlet.refused?.(request, fault)
  return fault
}

/** Of several upstreams, each with its own list. */
const LISTS: ReadonlyMap<string, string> = new Map([['skills/list', 'skills']])

/** One after the other, until one of them knows what is asked for. */
async function askEach(call: Call, all: readonly UpstreamExtensions[]): Promise<unknown> {
  const [only] = all
  if (only !== undefined && all.length === 1) return only.ask(call)
  const asks = all.map((one) => () => one.ask(call))
  return firstOf(asks, call.server).catch((error: AggregateError) => {
    throw error.errors[0]
  })
}

/** One that is sick, or takes too long, lists nothing. */
async function merge(call: Call, list: string, all: readonly UpstreamExtensions[]): Promise<JsonObject> {
  const read = (one: UpstreamExtensions) => readPages(call, list, one).catch(() => [])
  const pages = await Promise.all(
    all.map(async (one) => (await within(OTHERS_WAIT_MS, read(one), call.server)) ?? []),
  )
  const [first = {}] = pages.flat()
  const { nextCursor: _last, ...rest } = first
  return { ...rest, [list]: pages.flat().flatMap((page) => page[list] as readonly unknown[]) } // As just looked at.
}

async function readPages(call: Call, list: string, one: UpstreamExtensions): Promise<readonly JsonObject[]> {
  const pages: JsonObject[] = []
  for (let more: JsonObject = {}; pages.length < MOST_PAGES; ) {
    const page = await one.ask(call, more)
    if (!isObject(page) || !Array.isArray(page[list])) break
    pages.push(page)
    if (typeof page['nextCursor'] !== 'string') break
    more = { cursor: page['nextCursor'] }
  }
  return pages
}
