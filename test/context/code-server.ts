import { afterAll } from 'vitest'
import {
  createTestClient,
  defineServer,
  defineTool,
  elicit,
  Needs,
  type ServerDefinition,
  type TestClientOptions,
} from '../../src/index.ts'

const open: { close(): unknown }[] = []
afterAll(async () => {
  for (const one of open.splice(0)) await one.close()
})

export const weather = defineTool({
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  output: { type: 'object', properties: { degrees: { type: 'number' } }, required: ['degrees'] },
  run: ({ city }) => ({ degrees: city.length }),
})

export const greet = defineTool({
  name: 'greet',
  input: { type: 'object', properties: { name: { type: 'string' } } },
  run: ({ name = 'you' }) => `Hello, ${name}`,
})

const SIZE = { type: 'object', properties: { size: { type: 'string' } }, required: ['size'] } as const

/** Asks which size, unless it is told. */
export const order = defineTool({
  name: 'order_tea',
  input: { type: 'object', properties: { tea: { type: 'string' }, size: { type: 'string' } } },
  run: ({ tea = 'black', size }, call) => {
    if (size !== undefined) return `a ${size} ${tea} tea`
    const asked = call.ask({ form: elicit({ message: `Which size of ${tea}?`, schema: SIZE }) })
    if (asked instanceof Needs) return asked
    return asked.form.action === 'accept' ? `a ${asked.form.content.size} ${tea} tea` : `no ${tea} tea`
  },
})

export const remove = defineTool({
  name: 'remove_all',
  annotations: { destructiveHint: true },
  input: { type: 'object', properties: { of: { type: 'string' } } },
  run: ({ of = 'everything' }) => `removed ${of}`,
})

export function define(more: Partial<ServerDefinition> = {}) {
  const server = defineServer({
    name: 's',
    version: '1',
    offer: 'code',
    tools: [weather, greet, order, remove],
    reports: true,
    ...more,
  })
  open.push(server)
  return server
}

export const textOf = ({ content }: { readonly content: readonly object[] }) =>
  content.map((one) => (one as { text: string }).text).join('\n')

/** Has a server of its own run scripts. */
export async function scripting(more: Partial<ServerDefinition> = {}, options: TestClientOptions = {}) {
  const server = define(more)
  const client = await createTestClient(server, options)
  return { server, client, run: (code: string) => client.callTool('run', { code }) }
}
