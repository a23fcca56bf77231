import type { Client, Prompt, RequestOptions, Tool } from '../../client/index.ts'
import { suggest } from '../../kernel/index.ts'
import { UsageError } from '../usage-error.ts'
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

/** Who does not say that it has tools is not asked for any. */
export async function toolsOf(client: Client, options: RequestOptions): Promise<readonly Tool[]> {
  return 'tools' in client.capabilities ? client.tools(options) : []
}

export async function promptsOf(client: Client, options: RequestOptions): Promise<readonly Prompt[]> {
  return 'prompts' in client.capabilities ? client.prompts(options) : []
}
