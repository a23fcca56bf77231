import type {
  Call,
  JsonObject,
  ResourceContents,
  ResourceTemplateDefinition,
  Server,
} from '../../kernel/index.ts'
import { isObject, overBudget } from '../../kernel/index.ts'
import type { Pages, RestPage } from './pages.ts'
import { TurnTaker } from './turn-taker.ts'

/** How long what was left out of a result can be had. */
const KEPT_MS = 15 * 60_000

const PREFIX = 'perigee://rest/'

/** How what was left out is read: by whoever got the result, a page at a time. */
export const REST: ResourceTemplateDefinition = {
  uriTemplate: `${PREFIX}{id}{?from}`,
  name: 'rest',
  title: 'The rest of a result',
  description: 'What was left out of a result that was too long. Each page names the next.',
  read: ({ id, from }: never, call) => readRest({ id, from }, call as Call), // The kernel's own face.
}

/** A thing that can be had by a link. */
export interface KeptRest {
  readonly uri: string
  readonly mimeType: string
}

interface KeptPage {
  readonly owner: string
  readonly contents: readonly JsonObject[]
}

/** Keeps pages where every node finds them; undefined where there is no room for more, or no store. */
export async function keepPages(make: () => Promise<Pages>, call: Call): Promise<KeptRest | undefined> {
  const pages = await make()
  const id = call.server.platform.randomId()
  const uriOf = ({ from }: RestPage) => `${PREFIX}${id}?from=${from}`
  const first = pages.pages[0]
  if (first === undefined) return undefined
  const kept = pages.pages.map((page, at) => {
    const next = pages.pages[at + 1]
    return {
      from: page.from,
      contents: contentsOf({ pages, page, uri: uriOf(page), next: next && uriOf(next) }),
    }
  })
  return (await keepAll(id, kept, call)) ? { uri: uriOf(first), mimeType: pages.mimeType } : undefined
}

/** As if it had been kept, to know how long a link is. */
export function onlyMeasured(): KeptRest {
  return { uri: `${PREFIX}00000000-0000-0000-0000-000000000000?from=0000000`, mimeType: 'application/json' }
}

/** The same of a picture, a sound or a file, in one piece. */
export async function keepBinary(blob: string, mimeType: string, call: Call): Promise<KeptRest | undefined> {
  const id = call.server.platform.randomId()
  const uri = `${PREFIX}${id}?from=1`
  const kept = await keepAll(id, [{ from: 1, contents: [{ uri, mimeType, blob }] }], call)
  return kept ? { uri, mimeType } : undefined
}

interface NamedPage {
  readonly pages: Pages
  readonly page: RestPage
  readonly uri: string
  readonly next: string | undefined
}

/** A page as it is, and beside it, for models, where it goes on. */
function contentsOf({ pages, page, uri, next }: NamedPage): readonly JsonObject[] {
  const { mimeType, unit, all } = pages
  const here = `This is ${unit} ${page.from} to ${page.to} of ${all}`
  const said = next === undefined ? `${here}, and the last page.` : `${here}. The next page is ${next}`
  return [
    { uri, mimeType, text: page.text, ...(next !== undefined && { _meta: { 'perigee/next': next } }) },
    { uri: next ?? uri, mimeType: 'text/plain', text: said },
  ]
}

async function keepAll(
  id: string,
  pages: readonly { readonly from: number; readonly contents: readonly JsonObject[] }[],
  call: Call,
): Promise<boolean> {
  const { server, owner } = call
  const bytes = pages.reduce((sum, { contents }) => sum + JSON.stringify(contents).length, 0)
  if (!accountOf(server).take(owner, bytes)) return false
  const { store } = server.platform
  try {
    const pace = new TurnTaker()
    for (const { from, contents } of pages) {
      await pace.before(bytes / pages.length)
      await store.put(keyOf(id, String(from)), { owner, contents } as never, { ttlMs: KEPT_MS }) // Made of JSON.
    }
    return true
  } catch (error) {
    // What the tool did is done, and is told as far as there is room.
    call.crashed(error)
    return false
  }
}

const keyOf = (id: string, from: string) => `rest/${id}/${from}`

/** For its owner alone; what is not theirs is not there. */
async function readRest(
  { id, from }: { readonly id: string; readonly from: string | undefined },
  { server, owner }: Call,
): Promise<readonly ResourceContents[] | undefined> {
  if (!/^[\w-]{1,64}$/.test(id) || !/^\d{1,15}$/.test(from ?? '1')) return undefined
  const entry = await server.platform.store.get(keyOf(id, from ?? '1'))
  const page = entry?.value as unknown as KeptPage | undefined // As it was put there.
  return isObject(page) && page.owner === owner
    ? (page.contents as readonly unknown[] as readonly ResourceContents[])
    : undefined
}

interface RestShare {
  readonly owner: string
  readonly bytes: number
  readonly until: number
}

/** What this node has had kept lately, for each caller and for all. */
class Account {
  readonly #server: Server
  #shares: RestShare[] = []

  constructor(server: Server) {
    this.#server = server
    server.usage.watch('maxRestBytes', () => this.#used())
    server.usage.watch('maxRestPerCallerBytes', () =>
      Math.max(0, ...this.#shares.filter(({ owner }) => owner !== '').map(({ owner }) => this.#used(owner))),
    )
  }

  take(owner: string, bytes: number): boolean {
    const now = this.#server.platform.now()
    this.#shares = this.#shares.filter(({ until }) => until > now)
    const own =
      owner === '' ? undefined : overBudget(this.#server, 'maxRestPerCallerBytes', this.#used(owner) + bytes)
    if (own !== undefined || overBudget(this.#server, 'maxRestBytes', this.#used() + bytes) !== undefined)
      return false
    this.#shares.push({ owner, bytes, until: now + KEPT_MS })
    return true
  }

  #used(owner?: string): number {
    const now = this.#server.platform.now()
    return this.#shares
      .filter((share) => share.until > now && (owner === undefined || share.owner === owner))
      .reduce((sum, { bytes }) => sum + bytes, 0)
  }
}

const ACCOUNTS = new WeakMap<Server, Account>()

function accountOf(server: Server): Account {
  const known = ACCOUNTS.get(server) ?? new Account(server)
  ACCOUNTS.set(server, known)
  return known
}
