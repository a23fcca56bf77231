import type { Client } from '../../src/client/client.ts'
import type { Listening } from '../../src/client/listening.ts'
import type { Prompt, Resource, ResourceTemplate, Tool } from '../../src/client/results.ts'
import { estimateTokens } from '../model/text.ts'
import { Store } from './store.ts'

export interface Catalogue {
  readonly tools: readonly Tool[]
  readonly resources: readonly Resource[]
  readonly templates: readonly ResourceTemplate[]
  readonly prompts: readonly Prompt[]
  /** What went wrong with a list, by its name. */
  readonly errors: { readonly [list: string]: string }
  readonly loaded: boolean
  /** What a model would read of all tools. */
  readonly tokens: number
}

const EMPTY: Catalogue = {
  tools: [],
  resources: [],
  templates: [],
  prompts: [],
  errors: {},
  loaded: false,
  tokens: 0,
}

export const catalogue = new Store<Catalogue>(EMPTY)

/** Reads all lists that the server says it has. */
export async function loadCatalogue(client: Client): Promise<void> {
  const errors: { [list: string]: string } = {}
  const read = async <One>(name: string, list: () => Promise<readonly One[]>): Promise<readonly One[]> => {
    if (!(name in client.capabilities)) return []
    return list().catch((error: Error) => {
      errors[name] = error.message
      return []
    })
  }
  const tools = await read('tools', () => client.tools())
  const resources = await read('resources', () => client.resources())
  const templates = await read('resources', () => client.templates())
  const prompts = await read('prompts', () => client.prompts())
  catalogue.set({ tools, resources, templates, prompts, errors, loaded: true, tokens: estimateTokens(tools) })
}

/** Reads them again whenever the server says that they changed; gives what ends that. */
export async function watchCatalogue(client: Client): Promise<Listening | undefined> {
  const wanted = { tools: true, prompts: true, resources: true }
  let again = false
  let reading = false
  const reload = async () => {
    again = true
    if (reading) return
    reading = true
    while (again) {
      again = false
      await loadCatalogue(client)
    }
    reading = false
  }
  return client.listen(wanted, () => void reload()).catch(() => undefined) // A server need not tell of changes.
}
