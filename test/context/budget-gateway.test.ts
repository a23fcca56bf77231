import { afterEach, expect, it } from 'vitest'
import {
  createTestClient,
  defineServer,
  defineTool,
  type ResultBudget,
  type TestClient,
} from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'
import { upstream } from '../../src/modules/upstream/index.ts'
import { serveHttp } from '../../src/transports/http/index.ts'

const LINES = Array.from({ length: 3000 }, (_, at) => `${at}: the quick brown fox jumps over the lazy dog\n`)
const ROWS = Array.from({ length: 3000 }, (_, id) => ({
  id,
  title: `Something that was found, number ${id}`,
}))
const REST = /perigee:\/\/rest\/[\w-]+\?from=\d+/g

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A server whose tools tell all there is, by lines and by rows, each with its own name. */
async function serve(name: string, budget?: ResultBudget) {
  const tools = [
    defineTool({ name: 'lines', run: () => LINES.map((line) => `${name} ${line}`).join('') }),
    defineTool({ name: 'rows', run: () => ({ rows: ROWS.map((row) => ({ ...row, from: name })) }) }),
  ]
  const behind = await serveHttp(defineServer({ name, version: '1', budget, tools }), { port: 0 })
  ends.push(() => behind.close(0))
  return upstream(name, { url: behind.url })
}

async function gatewayTo(upstreams: readonly Awaited<ReturnType<typeof serve>>[], budget?: ResultBudget) {
  const gateway = defineServer({ name: 'gateway', version: '1', budget, modules: [...upstreams] })
  ends.push(() => gateway.close())
  return { gateway: gateway as Server, client: await createTestClient(gateway) }
}

/** All that can be had of a result: what is shown, and whatever links in it and in what they lead to lead to. */
async function everything(client: TestClient, name: string): Promise<string> {
  const result = await client.callTool(name)
  const texts = [JSON.stringify(result.content)]
  const seen = new Set<string>()
  for (const text of texts)
    for (const uri of text.match(REST) ?? [])
      if (!seen.has(uri)) {
        seen.add(uri)
        const { contents } = await client.read(uri)
        texts.push(...contents.map((one) => ('text' in one ? one.text : '')))
      }
  return texts.join('\n')
}

const numbersIn = (text: string, like: RegExp) =>
  new Set([...text.matchAll(like)].map(([, at]) => Number(at)))

it('what two upstreams have left out can be had from each, by one template', async () => {
  const both = await Promise.all([serve('left', { tokens: 5000 }), serve('right', { tokens: 5000 })])
  const { gateway, client } = await gatewayTo(both)
  for (const name of ['left', 'right']) {
    const all = await everything(client, `${name}_lines`)
    expect(numbersIn(all, new RegExp(`${name} (\\d+): `, 'g')).size).toBe(LINES.length)
  }
  expect([...gateway.relaying.upstreams].flatMap(({ state }) => state.leftOut)).toEqual([])
  await expect(client.read('perigee://rest/nothing?from=1')).rejects.toThrow('not found')
})

it.each([2000, 20_000])(
  'the links of a gateway that cuts to %d tokens and those of its upstream can both be followed',
  async (tokens) => {
    const { client } = await gatewayTo([await serve('left', { tokens: 8000 })], { tokens })
    const lines = await everything(client, 'lines')
    expect(numbersIn(lines, /left (\d+): /g).size).toBe(LINES.length)
    const rows = await everything(client, 'rows')
    expect(numbersIn(rows, /id\\*":(\d+),/g).size).toBe(ROWS.length)
  },
)
