// Puts real clients, and programs that stand between clients and servers, in front of our servers; prints one table.
//   npm run clients -- [--nodes 3 --engine redis]: over HTTP, each request goes to the next of so many nodes
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startBridge } from './clients/bridge.mjs'
import { OPENINGS, openByLine, openByPost } from './clients/openings.mjs'
import { bin, startWorkbench, startWorkbenches } from './clients/ours.mjs'
import { openV1, openV2 } from './clients/sdk.mjs'
import { tour } from './clients/tour.mjs'
import { METHODS, openInspector } from './inspector.mjs'
import { install, newerNode } from './outside.mjs'
import { ENGINES } from './storm/engines.mjs'
import { printTable } from './table.mjs'

const SDK = '@modelcontextprotocol/sdk'

/** The first generation, with the transports each version has. */
const V1 = {
  '1.4.1': ['stdio', 'sse'],
  '1.12.3': ['stdio', 'http', 'sse'],
  '1.20.2': ['stdio', 'http', 'sse'],
  '1.32.2': ['stdio', 'http', 'sse'],
}

/** The second generation, in each of its eras. */
const V2 = '2.4.0'
const ERAS = { legacy: 'legacy', auto: 'auto', modern: { pin: '2026-07-28' } }

const BRIDGES = { 'mcp-remote': '0.15.1', 'mcp-proxy': '6.7.19', supergateway: '4.0.0' }

const INSPECTOR = '2.12.0'

/** A program that hangs has failed; only one that fails waits so long. */
const PATIENCE_MS = 60_000

/** All that is needed of the registry, at once; what cannot be had is told by the rows that need it. */
await Promise.allSettled([
  ...Object.keys(V1).map((version) => install(SDK, version)),
  ...Object.entries(BRIDGES).map(([name, version]) => install(name, version)),
  install('@modelcontextprotocol/client', V2),
  install('@modelcontextprotocol/inspector', INSPECTOR),
])

const { values } = parseArgs({
  options: { nodes: { type: 'string', default: '1' }, engine: { type: 'string', default: 'redis' } },
})
const nodes = Number(values.nodes)
const folder = mkdtempSync(join(tmpdir(), 'perigee-clients-'))
const newer = await newerNode()
const engine = nodes > 1 ? await ENGINES[values.engine]() : undefined
const workbench = await (engine === undefined ? startWorkbench() : startWorkbenches(nodes, engine.url))
const ccmcp = { command: process.execPath, args: [bin('ccmcp'), '--root', folder] }
const ours = { stdio: ccmcp, http: { url: workbench.url }, sse: { url: workbench.sse } }

const rows = []
try {
  for (const [version, transports] of Object.entries(V1)) {
    for (const over of transports) {
      await row(`SDK ${version}`, over, [SDK, version], (sdk) => openV1(sdk, over, ours[over]).then(visit))
    }
  }
  for (const [era, mode] of Object.entries(ERAS)) {
    for (const over of ['stdio', 'http']) {
      await row(`SDK ${V2}, ${era}`, over, ['@modelcontextprotocol/client', V2], (sdk) =>
        openV2(sdk, mode, over, ours[over]).then(visit),
      )
    }
  }
  await inspectorRows()
  await bridgeRows()
  for (const opening of OPENINGS) {
    await row(`opening of ${opening.host}`, 'stdio', undefined, () => openByLine(opening, ccmcp))
    await row(`opening of ${opening.host}`, 'http', undefined, () => openByPost(opening, ours.http))
  }
} finally {
  await workbench.stop()
  await engine?.stop()
  rmSync(folder, { recursive: true })
}
report()

async function inspectorRows() {
  const targets = {
    stdio: [ccmcp.command, ...ccmcp.args],
    http: [workbench.url, '--transport', 'http'],
    sse: [workbench.sse, '--transport', 'sse'],
  }
  for (const [over, target] of Object.entries(targets)) {
    await row(`Inspector ${INSPECTOR}`, over, ['@modelcontextprotocol/inspector', INSPECTOR], async () => {
      const inspect = await openInspector(INSPECTOR)
      for (const method of METHODS) await inspect(target, method)
      return 'not told'
    })
  }
}

/** What stands between an official client and one of our servers. */
async function bridgeRows() {
  const v1 = (over, target) => install(SDK, '1.32.2').then((sdk) => openV1(sdk, over, target))
  const v2 = (over, target) =>
    install('@modelcontextprotocol/client', V2).then((sdk) => openV2(sdk, ERAS.modern, over, target))
  const server = [ccmcp.command, ...ccmcp.args]

  const remote = (way, args, open = v1) =>
    row('mcp-remote', way, ['mcp-remote', BRIDGES['mcp-remote']], (found) => {
      const env = { MCP_REMOTE_CONFIG_DIR: join(folder, 'mcp-remote') }
      return open('stdio', { command: newer, args: [join(found, 'dist', 'proxy.js'), ...args], env }).then(
        visit,
      )
    })
  await remote('stdio to http', [workbench.url])
  await remote('stdio to http, newest', [workbench.url, '--protocol', 'auto'])
  await remote('stdio to sse', [workbench.sse, '--transport', 'sse-only'])

  const behind = (name, file, way, argsFor, [open, over, path, clients = 1]) =>
    row(name, way, [name, BRIDGES[name]], async (found) => {
      const bridge = await startBridge(newer, (port) => [join(found, ...file), ...argsFor(port)])
      const enter = () => open(over, { url: `http://localhost:${bridge.port}${path}` })
      try {
        return await visitAll(Array.from({ length: clients }, () => enter))
      } finally {
        await bridge.stop()
      }
    })
  const proxy = (way, args, client) =>
    behind(
      'mcp-proxy',
      ['dist', 'bin', 'mcp-proxy.mjs'],
      way,
      (port) => ['--port', port, ...args, '--', ...server],
      client,
    )
  await proxy('http to stdio', [], [v1, 'http', '/mcp'])
  await proxy('sse to stdio', [], [v1, 'sse', '/sse'])
  await proxy('http to stdio, newest', ['--upstreamProtocol', 'modern'], [v2, 'http', '/mcp'])

  const gateway = (way, args, client, child = server) =>
    behind(
      'supergateway',
      ['dist', 'index.js'],
      way,
      (port) => ['--port', port, '--stdio', child.join(' '), ...args],
      client,
    )
  const http = ['--outputTransport', 'streamableHttp']
  await gateway('http to stdio', http, [v1, 'http', '/mcp'])
  await gateway('http to stdio, stateful', [...http, '--stateful'], [v1, 'http', '/mcp'])
  await gateway('http to stdio, newest', http, [v2, 'http', '/mcp'])
  const sse = ['--outputTransport', 'sse']
  await gateway('sse to stdio', sse, [v1, 'sse', '/sse'])
  // It gives all its clients to one child, so the second one opens a conversation that has begun already; ccmcp's
  // document wants that refused.
  const patient = [process.execPath, bin('perigee'), 'serve', '--stdio']
  await gateway('sse to stdio, two clients', sse, [v1, 'sse', '/sse', 2], patient)
  await gateway('http to stdio, two clients', [...http, '--stateful'], [v1, 'http', '/mcp', 2], patient)
}

/** Lets clients in one after the other, and each of them look round while all are there. */
async function visitAll(entrances) {
  const hosts = []
  try {
    for (const enter of entrances) hosts.push(await enter())
    const revisions = []
    for (const host of hosts) revisions.push(await tour(host))
    return [...new Set(revisions)].join(', ')
  } finally {
    await Promise.all(hosts.map((host) => host.close()))
  }
}

async function visit(host) {
  try {
    return await tour(host)
  } finally {
    await host.close()
  }
}

/** One client in one way; `needed` is what it takes of the registry. */
async function row(client, way, needed, run) {
  if (nodes > 1 && way.split(',')[0].endsWith('stdio')) return // It would not come by the nodes.
  const tried = await attempt(needed, run)
  rows.push([client, way, tried.revision ?? '', tried.result])
}

async function attempt(needed, run) {
  try {
    const found = needed === undefined ? undefined : await install(...needed)
    return { revision: await withinReason(run(found)), result: 'ok' }
  } catch (error) {
    const why = String(error.stderr || error.message)
      .trim()
      .split('\n')
      .slice(0, 3)
      .join(' ')
    const [missing] = /\bE404\b|\bETARGET\b/.exec(why) ?? []
    return { result: missing === undefined ? `failed: ${why}` : `skipped: not in the registry (${missing})` }
  }
}

async function withinReason(promise) {
  let clock
  const late = new Promise((_, reject) => {
    clock = setTimeout(() => reject(new Error(`no end after ${PATIENCE_MS / 1000} s`)), PATIENCE_MS)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(clock)
  }
}

function report() {
  printTable(['client', 'over', 'revision', 'result'], rows)
  const count = (start) => rows.filter(([, , , result]) => result.startsWith(start)).length
  const [passed, skipped, failed] = [count('ok'), count('skipped'), count('failed')]
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  // A client that hangs would keep us here.
  process.exit(failed > 0 ? 1 : 0)
}
