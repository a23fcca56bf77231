// Writes down the schemas that public MCP servers list, for the tests of what hosts take of them:
//   node scripts/record-schemas.mjs          (after npm run build; it installs the servers)
// What they say of their tools in words is theirs and left out; names, types and keywords are what hosts stumble over.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../dist/client/index.js'
import { install, ROOT } from './outside.mjs'

/** Where each is from, under which licence, and how it is started. */
const SERVERS = [
  ['@modelcontextprotocol/server-everything', '2026.8.31', 'dist/index.js'],
  ['@modelcontextprotocol/server-filesystem', '2026.8.31', 'dist/index.js', ROOT],
  ['@modelcontextprotocol/server-memory', '2026.8.31', 'dist/index.js'],
  ['@playwright/mcp', '0.0.83', 'cli.js'],
  ['@upstash/context7-mcp', '4.1.1', 'dist/index.js'],
]

/** Keywords under which names are the author's own. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions'])

const recorded = []
for (const [name, version, file, ...args] of SERVERS) {
  const folder = await install(name, version)
  const client = await connect({ command: process.execPath, args: [join(folder, file), ...args] })
  const tools = (await client.tools()).map(({ name, inputSchema, outputSchema }) => ({
    name,
    inputSchema: withoutWords(inputSchema),
    ...(outputSchema !== undefined && { outputSchema: withoutWords(outputSchema) }),
  }))
  await client.close()
  recorded.push({ server: `${name}@${version}`, tools })
  console.log(`${name}: ${tools.length} tools`)
}
const lines = recorded.map(
  ({ server, tools }) =>
    `{ "server": ${JSON.stringify(server)}, "tools": [\n${tools.map((tool) => JSON.stringify(tool)).join(',\n')}\n] }`,
)
writeFileSync(join(ROOT, 'test', 'context', 'public-servers.json'), `[\n${lines.join(',\n')}\n]\n`)

/** Members may be called `description` or `title` themselves. */
function withoutWords(schema, isNames = false) {
  if (Array.isArray(schema)) return schema.map((one) => withoutWords(one))
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(
        ([key, value]) => isNames || typeof value !== 'string' || !['description', 'title'].includes(key),
      )
      .map(([key, value]) => [key, withoutWords(value, !isNames && NAMED.has(key))]),
  )
}
