import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import {
  callTool,
  measure,
  median,
  printNumber,
  printTable,
  StdioClient,
  warmUp,
} from '../../dist/bench/index.js'
import { NEWEST, NEWEST_HANDSHAKE } from '../../dist/kernel/index.js'
import { install, newerNode } from '../../scripts/outside.mjs'
import { ROOT } from './contenders.mjs'
import { listsAndStart } from './gateway-lists.mjs'
import { HttpProcess } from './http-process.mjs'

const SERVER = join(ROOT, 'bench', 'servers', 'perigee.mjs')
const PERIGEE = join(ROOT, 'dist', 'cli', 'bin', 'perigee.js')
const ECHO = callTool('echo', { message: 'hello, world 0123456789' })

/** FastMCP is Python: where somebody has put it into .cache, it takes part. */
const FASTMCP = join(ROOT, '.cache', 'fastmcp-venv', 'bin', 'python')

/** A gateway between a load and a server, beside a proxy that looks at nothing and beside the bridges people use. */
export async function benchGateway({ quick, write }) {
  const plan = quick ? { cycles: 3, seconds: 0.3 } : { cycles: 11, seconds: 0.5 }
  const tables = []
  const http = await overHttp(plan)
  const eras = await overHttp(plan, NEWEST_HANDSHAKE)
  const piped = await fromHttpToStdio(plan)
  const bridged = await fromStdioToHttp(plan)
  const lists = await listsAndStart(plan)
  tables.push(
    rateTable(`HTTP to HTTP, ${NEWEST.id}`, http),
    rateTable(`HTTP to HTTP, ${NEWEST_HANDSHAKE.id}`, eras),
  )
  tables.push(rateTable(`HTTP to stdio, ${NEWEST_HANDSHAKE.id}`, piped))
  tables.push(rateTable(`stdio to HTTP, ${NEWEST_HANDSHAKE.id}`, bridged))
  const kept = promisesOf({ http, eras, piped, bridged, lists })
  report({ tables, lists, kept }, write)
  return kept
}

async function overHttp(plan, revision = NEWEST) {
  const server = await HttpProcess.start({ name: 'direct', args: [SERVER, 'http'], revision })
  const { href } = server.url
  const entries = [
    { name: 'plain proxy', args: [join(ROOT, 'bench', 'servers', 'plain-proxy.mjs'), href] },
    { name: 'perigee gateway', args: (port) => [PERIGEE, 'gateway', href, '--http', '--port', String(port)] },
  ]
  if (revision === NEWEST_HANDSHAKE && existsSync(FASTMCP))
    entries.push({
      name: 'FastMCP proxy',
      program: FASTMCP,
      args: [join(ROOT, 'bench', 'servers', 'fastmcp-proxy.py'), href],
    })
  return takeTurns([{ name: 'direct', server }, ...(await startAll(entries, revision))], plan, [1, 16])
}

async function fromHttpToStdio(plan) {
  const node = await newerNode()
  const command = [process.execPath, SERVER, 'stdio']
  const proxy = join(await install('mcp-proxy', '6.7.19'), 'dist', 'bin', 'mcp-proxy.mjs')
  const gateway = join(await install('supergateway', '4.0.0'), 'dist', 'index.js')
  const stateful = ['--outputTransport', 'streamableHttp', '--stateful', '--logLevel', 'none']
  const entries = [
    {
      name: 'perigee gateway',
      args: (port) => [PERIGEE, 'gateway', '--http', '--port', String(port), '--', ...command],
    },
    { name: 'mcp-proxy', program: node, args: (port) => [proxy, '--port', String(port), '--', ...command] },
    {
      name: 'supergateway',
      program: node,
      args: (port) => [gateway, '--port', String(port), '--stdio', command.join(' '), ...stateful],
    },
  ]
  return takeTurns(await startAll(entries, NEWEST_HANDSHAKE), plan, [1, 16])
}

/** Whoever does not start, or does not answer, is told of and left out. */
async function startAll(entries, revision) {
  const live = []
  for (const { name, ...entry } of entries) {
    try {
      live.push({ name, server: await HttpProcess.start({ name, revision, ...entry }) })
    } catch (error) {
      console.error(`${name} was left out: ${error.message}`)
    }
  }
  return live
}

async function takeTurns(started, { cycles, seconds }, widths) {
  const live = []
  for (const { name, server } of started) {
    try {
      const sessions = await server.openSessions(16)
      await warmUp(server.client.flood(ECHO, 16, sessions), { calls: 30_000, seconds: 3 })
      live.push({ name, server, sessions, slices: widths.map(() => []) })
    } catch (error) {
      console.error(`${name} was left out: ${error.message}`)
    }
  }
  for (let cycle = 0; cycle < cycles; cycle++)
    for (const [at, connections] of widths.entries())
      for (const { name, server, sessions, slices } of live) {
        const load = server.client.flood(ECHO, connections, sessions)
        const slice = await measure(load, { pid: server.pid, seconds })
        if (slice.failed > 0) console.error(`${name}: ${slice.failed} calls failed`)
        slices[at].push(slice)
      }
  await Promise.all(started.map(({ server }) => server.stop()))
  return live.map(({ name, slices: [one, many] }) => ({
    name,
    p50: median(one.map(({ p50 }) => p50)),
    rates: many.map(({ rate }) => rate),
    cpu: median(many.map(({ cpu }) => cpu)),
  }))
}

async function fromStdioToHttp({ cycles, seconds }) {
  const server = await HttpProcess.start({
    name: 'direct',
    args: [SERVER, 'http'],
    revision: NEWEST_HANDSHAKE,
  })
  const node = await newerNode()
  const { href } = server.url
  const remote = join(await install('mcp-remote', '0.15.1'), 'dist', 'proxy.js')
  const gateway = join(await install('supergateway', '4.0.0'), 'dist', 'index.js')
  const commands = {
    'perigee gateway': [process.execPath, PERIGEE, 'gateway', href],
    'mcp-remote': [node, remote, href],
    supergateway: [node, gateway, '--streamableHttp', href, '--logLevel', 'none'],
  }
  const live = []
  for (const [name, command] of Object.entries(commands)) {
    const client = new StdioClient({ command, revision: NEWEST_HANDSHAKE })
    try {
      await client.open()
      await warmUp(client.flood({ asked: ECHO, window: 16 }), { calls: 30_000, seconds: 3 })
      live.push({ name, client, slices: [[], []] })
    } catch (error) {
      console.error(`${name} was left out: ${error.message}`)
      await client.close()
    }
  }
  for (let cycle = 0; cycle < cycles; cycle++)
    for (const [at, window] of [1, 16].entries())
      for (const { client, slices } of live)
        slices[at].push(await measure(client.flood({ asked: ECHO, window }), { pid: client.pid, seconds }))
  await Promise.all([...live.map(({ client }) => client.close()), server.stop()])
  return live.map(({ name, slices: [one, many] }) => ({
    name,
    p50: median(one.map(({ p50 }) => p50)),
    rates: many.map(({ rate }) => rate),
    cpu: median(many.map(({ cpu }) => cpu)),
  }))
}

const rateOf = ({ rates }) => median(rates)

function rateTable(title, rows) {
  const cells = rows.map((row) => [
    row.name,
    `${row.p50.toFixed(0)} µs`,
    printNumber(rateOf(row)),
    row.cpu.toFixed(1),
  ])
  return printTable([title, 'p50, one at a time', '16 at once, calls/s', 'CPU s/100k'], cells)
}

function promisesOf({ http, eras, piped, bridged, lists }) {
  const promise = (what, value, isKept) => ({ what, value, state: isKept ? 'kept' : 'not kept' })
  const find = (rows, name) => rows.find((row) => row.name === name)
  const [direct, plain, ours] = ['direct', 'plain proxy', 'perigee gateway'].map((name) => find(http, name))
  const ratio = (one, other) => median(one.rates.map((rate, at) => rate / other.rates[at]))
  const added = (ours.p50 - direct.p50) / 1000
  const ways = { 'HTTP to HTTP': eras, 'HTTP to stdio': piped, 'stdio to HTTP': bridged }
  const peers = Object.entries(ways).flatMap(([way, rows]) =>
    rows
      .filter(({ name }) => !['direct', 'plain proxy', 'perigee gateway'].includes(name))
      .map((peer) => ({
        name: `${peer.name}, ${way}`,
        ratio: ratio(find(rows, 'perigee gateway'), peer),
      })),
  )
  return [
    promise('added p50 on one connection under 0.5 ms', `${added.toFixed(3)} ms`, added < 0.5),
    promise(
      '16 connections: at least 0.9 × a plain proxy',
      ratio(ours, plain).toFixed(2),
      ratio(ours, plain) >= 0.9,
    ),
    promise(
      '16 connections: at least 0.2 × direct',
      ratio(ours, direct).toFixed(2),
      ratio(ours, direct) >= 0.2,
    ),
    ...peers.map(({ name, ratio: times }) =>
      promise(`at least 5 × ${name}`, `${times.toFixed(1)} ×`, times >= 5),
    ),
    promise(
      '1,000 tools of 20 upstreams listed in at most 1.3 × the time of one server',
      lists.ratio.toFixed(2),
      lists.ratio <= 1.3,
    ),
    promise(
      'first answer with 20 upstreams on stdio within 3 s',
      `${lists.first.toFixed(0)} ms`,
      lists.first < 3000,
    ),
  ]
}

function machine() {
  const [cpu] = cpus()
  return `${cpu?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.versions.node}`
}

function report({ tables, lists, kept }, write) {
  const listed = printTable(
    ['tools/list, 1,000 tools', 'p50'],
    lists.rows.map(([name, ms]) => [name, `${ms.toFixed(2)} ms`]),
  )
  const promises = printTable(
    ['promise', 'measured', ''],
    kept.map(({ what, value, state }) => [what, value, state]),
  )
  const text = [...tables, listed, promises].join('\n\n')
  console.log(text)
  if (!write) return
  const folder = join(ROOT, 'bench', 'results')
  mkdirSync(folder, { recursive: true })
  const when = new Date().toISOString().slice(0, 10)
  writeFileSync(
    join(folder, 'gateway.md'),
    `# The gateway beside others, ${when}\n\nOne interleaved run on one machine (${machine()}); \`npm run bench -- --only gateway\`. Rates are medians of the turns; how often one is another's is the median of that in each turn, and not the quotient of two medians.\n\n${text}\n`,
  )
}
