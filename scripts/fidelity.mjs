// The official suite direct and through the gateway, for clients and upstreams of each era, over each transport.
//   npm run fidelity -- [--short] [--only TEXT] [--write: the tables of docs/GATEWAY.md]
//   npm run fidelity -- --packages: official servers direct and through it, request by request, and our client before others' servers
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { compile } from './compile.mjs'
import { openSuite } from './conformance/suite.mjs'
import { comparePackages } from './fidelity/packages.mjs'
import { CLIENTS, pairings } from './fidelity/pairings.mjs'
import { startPeer } from './fidelity/peers.mjs'
import { report, reportOthers } from './fidelity/report.mjs'
import { startFixture, startGateway } from './fidelity/servers.mjs'
import { visitStrangers } from './fidelity/strangers.mjs'
import { ROOT } from './outside.mjs'

const { values } = parseArgs({
  options: {
    packages: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
})

if (values.packages) {
  reportOthers(await comparePackages(), await visitStrangers(), values)
  process.exit()
}

const PEER_MS = 300_000
const FIXTURE = join(ROOT, 'test', 'conformance')
const folder = mkdtempSync(join(tmpdir(), 'perigee-fidelity-'))
const output = join(ROOT, '.cache', 'fidelity')
rmSync(output, { recursive: true, force: true })
const runSuite = await openSuite(output)
const [http, stdio] = [await compileFixture('serve.ts'), await compileFixture('serve-stdio.ts')]

const queue = pairings(values)
const results = new Map()
try {
  await Promise.all([work(), work()])
} finally {
  rmSync(folder, { recursive: true })
  for (const script of [http, stdio]) rmSync(dirname(script), { recursive: true })
}
report(results, values)

/** Each run has a server of its own, so that two can go on at once. */
async function work() {
  for (let run = queue.shift(); run !== undefined; run = queue.shift()) {
    const began = Date.now()
    results.set(run, await take(run))
    console.error(`${run.name}: ${Math.round((Date.now() - began) / 1000)} s`)
  }
}

async function take({ name, client, upstream, peer }) {
  if (peer !== undefined) return takePeer({ name, client, peer })
  const fixture = await startFixture(http)
  try {
    if (upstream === undefined) return await play(client, name, fixture.url)
    const gateway = await startGateway({ entry: upstream.entry({ url: fixture.url, stdio }), folder, name })
    try {
      return await play(client, name, gateway.url)
    } finally {
      await gateway.stop()
    }
  } finally {
    await fixture.stop()
  }
}

/** Others may hang where we answer: what they have not done by then counts as not done. */
async function takePeer({ name, client, peer }) {
  const bridge = await startPeer(peer, { stdio, client })
  try {
    return await play(client, name, bridge.url, PEER_MS)
  } finally {
    await bridge.stop()
  }
}

function play(client, name, url, limitMs) {
  return runSuite({ ...CLIENTS[client], name, side: 'server', quiet: true, limitMs }, ['--url', url])
}

async function compileFixture(file) {
  const script = await compile(join(FIXTURE, file))
  cpSync(join(FIXTURE, 'skills'), join(dirname(script), 'skills'), { recursive: true })
  return script
}
