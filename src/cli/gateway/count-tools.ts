import { connect } from '../../client/index.ts'
import type { NamedUpstream } from './named-upstream.ts'

/** How many tools a server has for whoever comes with these headers; rejects where it does not let them in. */
export async function countTools(
  { url, entry }: NamedUpstream,
  headers: { readonly [name: string]: string } = {},
): Promise<string> {
  await using client = await connect(url, {
    headers: { ...headers, ...entry.headers },
    ...(entry.revision !== undefined && { revision: entry.revision }),
  })
  const { length } = await client.tools()
  return `${length} ${length === 1 ? 'tool' : 'tools'}`
}
