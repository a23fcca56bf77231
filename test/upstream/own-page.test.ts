import { expect, it, vi } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { defineTool, type TestClient } from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'
import { clientOf, endAfterEach, gatewayTo } from './gateway-of.ts'

endAfterEach()

const PAGE = 'ui://page/1'

const echo = defineTool({
  name: 'echo',
  _meta: { ui: { resourceUri: PAGE, visibility: ['model'] }, 'ui/resourceUri': PAGE, kept: true },
  run: () => '',
})

/** Its page is listed. */
const listing = (name: string) =>
  defineServer({
    name,
    version: '1',
    tools: [echo],
    resources: [{ uri: PAGE, name: 'page', read: () => `page of ${name}` }],
  })

/** Its page is one of many. */
const describing = (name: string, uriTemplate = 'ui://page/{id}') =>
  defineServer({
    name,
    version: '1',
    tools: [echo],
    templates: [{ uriTemplate, name: 'page', read: (_, { params }) => `${params?.['uri']} of ${name}` }],
  })

async function viewOf(client: TestClient, name: string): Promise<string> {
  const tool = (await client.tools()).find((one) => one.name === name)
  return String((tool?._meta?.['ui'] as { resourceUri?: string } | undefined)?.resourceUri)
}

async function shownBy(client: TestClient, name: string): Promise<string> {
  const { contents } = await client.read(await viewOf(client, name))
  return (contents[0] as { text: string }).text
}

it.each<[how: string, b: Server, c: Server, shown: string]>([
  ['both list one of that URI', listing('b'), listing('c'), 'page of c'],
  ['both describe it', describing('b'), describing('c'), `${PAGE} of c`],
  ['the other lists one of that URI', listing('b'), describing('c'), `${PAGE} of c`],
  ['the other describes everything', describing('b', 'ui://{+all}'), describing('c'), `${PAGE} of c`],
])('a tool is shown by the page of its own server where %s', async (_, b, c, shown) => {
  const client = await clientOf(gatewayTo({ b: { server: b }, c: { server: c } }))
  expect(await shownBy(client, 'c_echo')).toBe(shown)
  expect(await shownBy(client, 'b_echo')).toContain('of b')
})

it('a tool keeps what else its _meta says', async () => {
  const client = await clientOf(gatewayTo({ b: { server: listing('b') }, c: { server: listing('c') } }))
  const tools = await client.tools()
  expect(tools.map(({ _meta }) => _meta)).toMatchObject([
    { ui: { resourceUri: PAGE, visibility: ['model'] }, 'ui/resourceUri': PAGE, kept: true },
    {
      ui: { resourceUri: `${PAGE}?upstream=c`, visibility: ['model'] },
      'ui/resourceUri': `${PAGE}?upstream=c`,
      kept: true,
    },
  ])
})

it('the page of a server alone keeps its URI', async () => {
  const client = await clientOf(gatewayTo({ c: { server: describing('c') } }))
  expect(await viewOf(client, 'echo')).toBe(PAGE)
})

it('a tool that stays as it is goes with the URI of its page', async () => {
  const c = listing('c')
  const page = { uri: PAGE, name: 'page', read: () => 'page of c' }
  const client = await clientOf(gatewayTo({ b: { server: defineServer(EMPTY) }, c: { server: c } }))
  const becomes = (uri: string) => vi.waitFor(async () => expect(await viewOf(client, 'c_echo')).toBe(uri))
  await becomes(PAGE)
  c.resources.remove(PAGE)
  await becomes(`${PAGE}?upstream=c`)
  c.resources.add(page)
  await becomes(PAGE)
})

const EMPTY = { name: 'b', version: '1', tools: [] }
