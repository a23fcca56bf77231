import type { Client, Prompt, RequestOptions, Resource, ResourceTemplate, Tool } from '../../client/index.ts'
import { suggest } from '../../kernel/index.ts'
import { UsageError } from '../usage-error.ts'
import { listWhole } from './awaited.ts'
import { oneLine } from './printable.ts'

/** The one of that name; for a name that there is none of, what was probably meant. */
export function find<Named extends { readonly name: string }>(
  noun: string,
  name: string,
  list: readonly Named[],
): Named {
  const found = list.find((one) => one.name === name)
  if (found !== undefined) return found
  const names = list.map((one) => one.name)
  const nearest = suggest(name, names)
  const hint = names.includes(nearest) ? `Did you mean ${nearest}?` : oneLine(nearest, 1000)
  throw new UsageError(
    `there is no ${noun} ${name}. ${names.length === 0 ? `The server has no ${noun}s` : hint}`,
  )
}

/** Who does not say that it has tools is not asked for any; all of them, or as soon as the one is there that is wanted. */
export async function toolsOf(
  client: Client,
  options: RequestOptions,
  wanted?: string,
): Promise<readonly Tool[]> {
  const list = (one: RequestOptions) => client.tools(one)
  return 'tools' in client.capabilities ? listWhole({ list, wanted }, options) : []
}

export async function promptsOf(
  client: Client,
  options: RequestOptions,
  wanted?: string,
): Promise<readonly Prompt[]> {
  const list = (one: RequestOptions) => client.prompts(one)
  return 'prompts' in client.capabilities ? listWhole({ list, wanted }, options) : []
}

export async function resourcesOf(
  client: Client,
  options: RequestOptions,
  waiting?: () => void,
): Promise<readonly Resource[]> {
  const list = (one: RequestOptions) => client.resources(one)
  return 'resources' in client.capabilities ? listWhole({ list, waiting }, options) : []
}

export async function templatesOf(
  client: Client,
  options: RequestOptions,
): Promise<readonly ResourceTemplate[]> {
  const list = (one: RequestOptions) => client.templates(one)
  return 'resources' in client.capabilities ? listWhole({ list }, options) : []
}
