import { join } from 'node:path'
import { createClient, many } from './http.mjs'

/** An attack that is nothing but many calls at once, on one of the kit's servers: `fixture`, or `bare` beside it. */
export function keepBusy(name, server, { calls, atOnce, tool = 'add', args = {} }) {
  return {
    name,
    server: { script: join(import.meta.dirname, `${server}.mjs`) },
    refused: false,
    async attack({ url }, { short }) {
      const client = createClient(url)
      await many(short ? calls : 5 * calls, atOnce, () => client.tool(tool, args))
      client.close()
    },
  }
}

export const SMALL = { calls: 4000, atOnce: 16, args: { a: 1, b: 2 } }
export const LARGE = { calls: 300, atOnce: 8, args: { a: 1, b: 2, junk: 'x'.repeat(900_000) } }
export const LARGE_ANSWERS = { calls: 300, atOnce: 8, tool: 'large' }
