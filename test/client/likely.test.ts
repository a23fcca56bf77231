import { expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { child, DONE, FakeServer, handshakes, json, result, script } from './hostile.ts'

const [OLD, NEW] = ['2025-11-25', '2026-07-28']

/** Knows the newest revision alone, and has no word for those who greet it otherwise. */
const modern = (otherwise: string) =>
  script(`
  const say = (id, value) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...value }) + '\\n')
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    if (method === 'server/discover')
      return say(id, { result: { supportedVersions: ['${NEW}'], capabilities: { tools: {} } } })
    if (method === 'tools/call') return say(id, { result: ${JSON.stringify(DONE)} })
    ${otherwise}
  })`)

it('a server that was greeted before is greeted at once', async () => {
  await using server = await FakeServer.open((heard, response) => {
    if (!handshakes(heard, response)) json(response, result(heard.message.id, DONE))
  })
  await using client = await connect(server.url, { likely: OLD })
  expect(await client.callTool('t')).toEqual(DONE)
  expect(server.count('server/discover')).toBe(0)
})

it.each([
  ['says so', `say(id, { error: { code: -32601, message: 'What?' } })`],
  ['ends', 'process.exit(1)'],
])('one that cannot be greeted any more and %s is asked otherwise', async (_what, otherwise) => {
  await using client = await connect(modern(otherwise), { likely: OLD })
  expect(client.revision.id).toBe(NEW)
  expect(await client.callTool('t')).toEqual(DONE)
})

it('one that spoke the newest revision and is older now is greeted', async () => {
  await using client = await connect(child('if (id) reply({ content: [] })'), { likely: NEW })
  expect(client.revision.id).toBe(OLD)
})

it('one that is no server either way is told by how it was greeted', async () => {
  await using server = await FakeServer.open((_heard, response) => json(response, {}, 500))
  await expect(connect(server.url, { likely: OLD })).rejects.toMatchObject({ details: { status: 500 } })
})
