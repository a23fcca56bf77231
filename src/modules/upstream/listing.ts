import { createHash } from 'node:crypto'
import { type Client, ClientError, ErrorReply, type RequestOptions } from '../../client/index.ts'
import {
  type CacheHint,
  cut,
  FAULTS,
  isObject,
  type JsonObject,
  type Revision,
  strictest,
} from '../../kernel/index.ts'
import { ownTurn } from '../../process/own-turn.ts'
import { hintOf, type ListCaches } from './list-caches.ts'
import { TASKS } from './upstream-task.ts'

export const LISTS = ['tools', 'resources', 'templates', 'prompts'] as const

export type ListOf = (typeof LISTS)[number]

/** By what an entry of each list is known. */
export const KEYS = { tools: 'name', resources: 'uri', templates: 'uriTemplate', prompts: 'name' } as const

/** What an upstream offers, as it lists it. */
export interface Listing extends Record<ListOf, readonly JsonObject[]> {
  readonly capabilities: JsonObject
  /** Whether it has suggestions for arguments. */
  readonly completes: boolean
  /** Whether it tells when a resource changes. */
  readonly subscribes: boolean
  /** In which form it has tasks. */
  readonly tasks: Revision['tasks']
  /** What it says of itself, for whoever searches among tools. */
  readonly about: string
  /** How it is meant to be used. */
  readonly instructions: string
  /** By which it is known whether another connection is told the same. */
  readonly mark: string
  /** How long each list keeps, and for whom, as far as it says so. */
  readonly caches: ListCaches
  /** What it declares and does not list, in words. */
  readonly refused: readonly string[]
}

export const NOTHING: Listing = {
  tools: [],
  resources: [],
  templates: [],
  prompts: [],
  capabilities: {},
  completes: false,
  subscribes: false,
  tasks: 'none',
  about: '',
  instructions: '',
  mark: '',
  caches: {},
  refused: [],
}

/** What one connection lists, and what another lists beside: whoever can do less is not listed less for everybody. */
export function joined(own: Listing, beside: Listing): Listing {
  const lists = LISTS.map((list) => {
    const known = new Set(own[list].map((one) => one[KEYS[list]]))
    return [list, [...own[list], ...beside[list].filter((one) => !known.has(one[KEYS[list]]))]] as const
  })
  return { ...own, ...Object.fromEntries(lists) }
}

/** All pages of all its lists; the client bounds how many those may be. */
export async function readListing(client: Client, isAgain = false): Promise<Listing> {
  const { revision, server, instructions = '' } = client
  const capabilities = isAgain ? await capabilitiesOf(client) : client.capabilities
  const has = (name: string) => capabilities[name] !== undefined
  const caches: { [list in ListOf]?: Partial<CacheHint> } = {}
  const hearing = (list: ListOf): RequestOptions => ({
    onPage: (_, page) => {
      caches[list] = strictest([caches[list] ?? {}, hintOf(page)])
    },
  })
  const refused: string[] = []
  const orNone = (list: ListOf) => (error: unknown) => {
    refused.push(...refusalOf(list, error))
    return []
  }
  const [tools, resources, templates, prompts] = await Promise.all([
    has('tools') ? client.tools(hearing('tools')) : [],
    has('resources') ? client.resources(hearing('resources')).catch(orNone('resources')) : [],
    has('resources') ? client.templates(hearing('templates')).catch(orNone('templates')) : [],
    has('prompts') ? client.prompts(hearing('prompts')).catch(orNone('prompts')) : [],
  ])
  const told = capabilities['resources']
  const lists = { tools, resources, templates, prompts }
  await turnFor(lists)
  return {
    ...lists,
    capabilities,
    // Before there was a word for it, whoever had prompts or templates might have suggestions.
    completes: has('completions') || !revision.capabilities.includes('completions'),
    subscribes: isObject(told) && told['subscribe'] === true,
    tasks: tasksOf(capabilities, revision),
    about: [server?.title ?? server?.name, server?.description, instructions]
      .filter((said) => typeof said === 'string' && said !== '')
      .map((said) => cut(String(said), 400))
      .join(' '),
    instructions,
    mark: await markOf(client, lists),
    caches,
    refused,
  }
}

/** Whoever says no to one list has the others; many have resources and no templates, and need not say so. */
function refusalOf(list: ListOf, error: unknown): readonly string[] {
  if (!(error instanceof ErrorReply)) throw error
  const isUnknown = error.code === FAULTS.methodNotFound.code
  return isUnknown && list === 'templates'
    ? []
    : [`its list of ${list} is refused (${error.code}), and is empty here`]
}

/** Some list in another order each time that they are started. */
async function markOf(
  { server, instructions, revision }: Client,
  lists: Pick<Listing, ListOf>,
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([server, instructions, revision.id]))
  for (const list of LISTS) {
    const hashes: string[] = []
    await forEachInTurns(lists[list], (one) => hashes.push(hashOf(JSON.stringify(one))))
    hash.update([`\n${list}`, ...hashes.sort()].join('\n'))
  }
  return hash.digest('base64')
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

/** Many entries are looked at again and again, and others have their turn between. */
const MANY = 100

/** Does what takes long for each, and others have their turn after every hundred. */
export async function forEachInTurns<One>(all: readonly One[], run: (one: One) => void): Promise<void> {
  for (const [at, one] of all.entries()) {
    if (at > 0 && at % MANY === 0) await ownTurn()
    run(one)
  }
}

export async function turnFor(lists: Pick<Listing, ListOf>): Promise<void> {
  if (LISTS.some((list) => lists[list].length > MANY)) await ownTurn()
}

/** Without a handshake, what a server can do may have changed since it was asked. */
async function capabilitiesOf(client: Client): Promise<JsonObject> {
  if (client.revision.opening === 'handshake') return client.capabilities
  const { capabilities } = await client.request('server/discover').catch((cause: unknown) => {
    const isGone = cause instanceof ErrorReply && cause.code === FAULTS.methodNotFound.code
    throw isGone ? new ClientError('unsupported', cause.message, { cause }) : cause // It was opened by that.
  })
  return isObject(capabilities) ? capabilities : client.capabilities
}

/** What is listed counts in 2025-11-25, since tools come and go after the handshake; with the extension, what is declared. */
function tasksOf({ extensions }: JsonObject, { tasks }: Revision): Revision['tasks'] {
  return tasks === 'extension' && !(isObject(extensions) && TASKS in extensions) ? 'none' : tasks
}
