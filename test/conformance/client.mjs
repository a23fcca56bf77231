// The client that the official suite tests: it does with a server what any host would. Skills are left alone.
import { connect } from '../../dist/client/index.js'

const { MCP_CONFORMANCE_PROTOCOL_VERSION: revision, MCP_CONFORMANCE_CONTEXT } = process.env
const url = process.argv.at(-1)
const { toolCalls } = JSON.parse(MCP_CONFORMANCE_CONTEXT ?? '{}')

/** What a form says when its user fills in nothing. */
function defaultsOf({ requestedSchema: { properties = {} } = {} }) {
  const filled = Object.entries(properties).filter(([, { default: value }]) => value !== undefined)
  return Object.fromEntries(filled.map(([name, { default: value }]) => [name, value]))
}

const SAMPLES = { string: 'text', number: 1, integer: 1, boolean: true, array: [], object: {}, null: null }

/** Arguments that a schema would take, as far as it says; a tool that wants to see a schema is shown the first there is. */
function argumentsOf({ properties = {} }, [{ inputSchema }]) {
  if (properties.schema?.type === 'object') return { schema: inputSchema }
  const given = Object.entries(properties).map(([name, one]) => [
    name,
    one.const ?? one.enum?.[0] ?? SAMPLES[one.type],
  ])
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

const client = await connect(url, {
  ...(revision !== undefined && { revision }),
  answers: {
    'elicitation/create': (params) => ({
      action: 'accept',
      content: { confirmed: true, ...defaultsOf(params) },
    }),
    'sampling/createMessage': () => ({
      role: 'assistant',
      content: { type: 'text', text: 'An answer' },
      model: 'none',
    }),
    'roots/list': () => ({ roots: [{ uri: 'file:///work' }] }),
  },
})
const has = (name) => client.capabilities[name] !== undefined
if (has('tools')) {
  const tools = await client.tools()
  const calls =
    toolCalls ?? tools.map(({ name, inputSchema }) => ({ name, arguments: argumentsOf(inputSchema, tools) }))
  for (const { name, arguments: args } of calls) {
    const result = await client.callTool(name, args).catch((error) => error.message)
    console.log(name, JSON.stringify(result))
  }
}
if (has('resources')) for (const { uri } of await client.resources()) await client.read(uri).catch(() => {})
if (has('prompts')) for (const { name } of await client.prompts()) await client.prompt(name).catch(() => {})
await client.close()
