import type { Prompt, RequestOptions, Resource, ResourceTemplate, Tool } from '../../client/index.ts'
import { suggest } from '../../kernel/index.ts'
import { UsageError } from '../usage-error.ts'
import { type Awaiting, listWhole } from './awaited.ts'
import type { Talk } from './command.ts'
import { oneLine } from './printable.ts'

/** The one of that name; for a name that there is none of, what was probably meant. */
export function find<Named extends { readonly name: string }>(
  noun: string,
  name: string,
  list: readonly Named[],
): Named {
  const found = list.find((one) => one.name === name)
  if (found !== undefined) return found
  throw unknownName(noun, name, list)
}

export function unknownName(
  noun: string,
  name: string,
  list: readonly { readonly name: string }[],
): UsageError {
  const names = list.map((one) => one.name)
  const nearest = suggest(name, names)
  const hint = names.includes(nearest) ? `Did you mean ${nearest}?` : oneLine(nearest, 1000)
  return new UsageError(
    `there is no ${noun} ${name}. ${names.length === 0 ? `The server has no ${noun}s` : hint}`,
  )
}

/** What stands on each list of a server. */
interface ListEntries {
  readonly tools: Tool
  readonly prompts: Prompt
  readonly resources: Resource
  readonly templates: ResourceTemplate
}

/** By what a server says that it has a list. */
const CAPABILITIES: Record<keyof ListEntries, string> = {
  tools: 'tools',
  prompts: 'prompts',
  resources: 'resources',
  templates: 'resources',
}

/** Whom a list is asked of; who has an output is told there of what is missing. */
export type ListSource = Pick<Talk, 'client' | 'options'> & Partial<Pick<Talk, 'output' | 'awaits'>>

/** Who does not say that it has a list is not asked for it; all of it, or as soon as what is wanted is on it. */
export async function listFrom<Name extends keyof ListEntries>(
  name: Name,
  { client, options, output, awaits }: ListSource,
  { wanted, waiting }: Pick<Awaiting<never>, 'wanted' | 'waiting'> = {},
): Promise<readonly ListEntries[Name][]> {
  if (!(CAPABILITIES[name] in client.capabilities)) return []
  awaits?.(name === 'templates' ? 'resources/templates/list' : `${name}/list`)
  const list = (one: RequestOptions) => client[name](one) as Promise<readonly ListEntries[Name][]> // As each gives.
  const awaiting: Awaiting<ListEntries[Name]> = {
    list,
    wanted,
    waiting: (awaited) => {
      awaits?.(awaited)
      waiting?.(awaited)
    },
    missing: (reason) => output?.note(oneLine(reason)),
  }
  return listWhole(awaiting, options)
}
