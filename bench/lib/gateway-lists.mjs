import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measure, median, StdioClient, warmUp } from '../../dist/bench/index.js'
import { NEWEST, NEWEST_HANDSHAKE } from '../../dist/kernel/index.js'
import { ROOT } from './contenders.mjs'
import { HttpProcess } from './http-process.mjs'

const SERVER = join(ROOT, 'bench', 'servers', 'perigee.mjs')
const PERIGEE = join(ROOT, 'dist', 'cli', 'bin', 'perigee.js')
const LIST = { method: 'tools/list', params: {} }
const UPSTREAMS = 20

/** A thousand tools of one server, and of twenty behind a gateway; and how soon a gateway with twenty answers. */
export async function listsAndStart({ cycles, seconds }) {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-bench-'))
  const from = join(folder, 'servers.json')
  const entry = (extra) => ({
    command: process.execPath,
    args: [SERVER, 'stdio'],
    env: { BENCH_TOOLS: extra },
  })
  const servers = Array.from({ length: UPSTREAMS }, (_, at) => [`up${at}`, entry('46')])
  writeFileSync(from, JSON.stringify({ mcpServers: Object.fromEntries(servers) }))
  try {
    const first = median([await firstAnswer(from), await firstAnswer(from), await firstAnswer(from)])
    return { first, ...(await compareLists(from, { cycles, seconds })) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** From the start of the gateway to its answer to initialize. */
async function firstAnswer(from) {
  const began = performance.now()
  const command = [process.execPath, PERIGEE, 'gateway', '--from', from]
  const client = new StdioClient({ command, revision: NEWEST_HANDSHAKE })
  await client.open()
  const took = performance.now() - began
  await client.close()
  return took
}

async function compareLists(from, { cycles, seconds }) {
  const starts = {
    'one server': { args: [SERVER, 'http'], env: { BENCH_TOOLS: '996' } },
    [`gateway, ${UPSTREAMS} upstreams`]: {
      args: (port) => [PERIGEE, 'gateway', '--from', from, '--http', '--port', String(port)],
    },
  }
  const live = []
  for (const [name, start] of Object.entries(starts)) {
    const server = await HttpProcess.start({ name, revision: NEWEST, ...start })
    await listsAll(server)
    await warmUp(server.client.flood(LIST, 1, ['']), { calls: 300, seconds: 3 })
    live.push({ name, server, times: [] })
  }
  for (let cycle = 0; cycle < cycles; cycle++)
    for (const { server, times } of live)
      times.push((await measure(server.client.flood(LIST, 1, ['']), { pid: server.pid, seconds })).p50 / 1000)
  await Promise.all(live.map(({ server }) => server.stop()))
  const [one, many] = live
  return {
    rows: live.map(({ name, times }) => [name, median(times)]),
    ratio: median(many.times.map((time, at) => time / one.times[at])),
  }
}

/** An upstream that has not been asked yet lists nothing. */
async function listsAll({ client }) {
  const connection = client.connect()
  for (const end = performance.now() + 30_000; performance.now() < end; ) {
    const { tools, nextCursor } = await client.ask(connection, LIST)
    if (tools.length >= 1000 || nextCursor !== undefined) return connection.close()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('not all tools were listed in 30 s')
}
