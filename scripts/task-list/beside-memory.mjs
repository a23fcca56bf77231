// bossman beside @modelcontextprotocol/server-memory, doing what both can: keeping many things, finding one by a word,
// and two processes that write at once.
//   npm run build && node scripts/task-list/beside-memory.mjs PATH/TO/server-memory/dist/index.js [--items 3000]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { connect } from '../../dist/client/index.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { items: { type: 'string', default: '3000' } },
})
const items = Number(values.items)
const BOSSMAN = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'bossman.js')

const SIDES = {
  bossman: {
    args: (folder) => [BOSSMAN, '--store', `sqlite:${join(folder, 'tasks.db')}`],
    env: () => ({}),
    add: (client, text) => client.callTool('create_task', { description: text }),
    find: async (client, word) =>
      (await client.callTool('list_tasks', { text: word, limit: 200 })).structuredContent.tasks.length,
  },
  'server-memory': {
    args: () => [positionals[0]],
    env: (folder) => ({ MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }),
    add: (client, text) =>
      client.callTool('create_entities', {
        entities: [{ name: text, entityType: 'task', observations: [] }],
      }),
    find: async (client, word) => {
      const { structuredContent, content } = await client.callTool('search_nodes', { query: word })
      return (structuredContent ?? JSON.parse(content[0].text)).entities.length
    },
  },
}

for (const [name, side] of Object.entries(SIDES)) {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-beside-'))
  try {
    console.log(JSON.stringify({ server: name, ...(await look(side, folder)) }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function look(side, folder) {
  const open = () =>
    connect({
      command: process.execPath,
      args: side.args(folder),
      env: { ...process.env, ...side.env(folder) },
    })
  const client = await open()
  const adding = await median(items, (n) => side.add(client, `thing number${n} of many`), 200)
  const finding = await median(200, (n) => side.find(client, `number${n * 7}`), 200)
  const other = await open()
  const each = 50
  const write = async (one, who) => {
    for (let n = 0; n < each; n++) await side.add(one, `both ${who} item${n}`)
  }
  await Promise.all([write(client, 'first'), write(other, 'second')])
  const kept = await side.find(client, 'both')
  await client.close()
  await other.close()
  return { items, addMs: adding, findMs: finding, writtenAtOnce: 2 * each, ofThoseKept: kept }
}

/** The median of the last ones, when there is much already. */
async function median(count, work, last) {
  const times = []
  for (let n = 0; n < count; n++) {
    const began = performance.now()
    await work(n)
    times.push(performance.now() - began)
    if (n % 500 === 499) await sleep(1)
  }
  const sorted = times.slice(-last).toSorted((one, two) => one - two)
  return Number((sorted[sorted.length >> 1] ?? 0).toFixed(2))
}
