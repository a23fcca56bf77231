import { type Client, ErrorReply } from '../../client/index.ts'
import { cut, FAULTS, isObject, type JsonObject } from '../../kernel/index.ts'

export const LISTS = ['tools', 'resources', 'templates', 'prompts'] as const

export type ListOf = (typeof LISTS)[number]

/** What an upstream offers, as it lists it. */
export interface Listing extends Record<ListOf, readonly JsonObject[]> {
  readonly capabilities: JsonObject
  /** Whether it has suggestions for arguments. */
  readonly completes: boolean
  /** Whether it tells when a resource changes. */
  readonly subscribes: boolean
  /** What it says of itself, for whoever searches among tools. */
  readonly about: string
}

export const NOTHING: Listing = {
  tools: [],
  resources: [],
  templates: [],
  prompts: [],
  capabilities: {},
  completes: false,
  subscribes: false,
  about: '',
}

/** All pages of all its lists; the client bounds how many those may be. */
export async function readListing(client: Client): Promise<Listing> {
  const { capabilities, revision, server, instructions = '' } = client
  const has = (name: string) => capabilities[name] !== undefined
  const [tools, resources, templates, prompts] = await Promise.all([
    has('tools') ? client.tools() : [],
    has('resources') ? client.resources() : [],
    has('resources') ? client.templates().catch(orNone) : [],
    has('prompts') ? client.prompts() : [],
  ])
  const told = capabilities['resources']
  return {
    tools,
    resources,
    templates,
    prompts,
    capabilities,
    // Before there was a word for it, whoever had prompts or templates might have suggestions.
    completes: has('completions') || !revision.capabilities.includes('completions'),
    subscribes: isObject(told) && told['subscribe'] === true,
    about: [server?.title ?? server?.name, server?.description, cut(instructions, 400)]
      .filter(Boolean)
      .join(' '),
  }
}

/** Some have resources, and do not know the method for templates. */
function orNone(error: unknown): readonly never[] {
  if (error instanceof ErrorReply && error.code === FAULTS.methodNotFound.code) return []
  throw error
}
