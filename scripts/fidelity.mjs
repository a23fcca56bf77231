// The official suite direct and through the gateway, for clients and upstreams of each era, over each transport.
//   npm run fidelity -- [--short] [--only TEXT] [--write: the table of docs/GATEWAY.md]
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { compile } from './compile.mjs'
import { openSuite } from './conformance/suite.mjs'
import { CLIENTS, pairings } from './fidelity/pairings.mjs'
import { report } from './fidelity/report.mjs'
import { startFixture, startGateway } from './fidelity/servers.mjs'
import { ROOT } from './outside.mjs'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
})

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

async function take({ name, client, upstream }) {
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

function play(client, name, url) {
  return runSuite({ ...CLIENTS[client], name, side: 'server', quiet: true }, ['--url', url])
}

async function compileFixture(file) {
  const script = await compile(join(FIXTURE, file))
  cpSync(join(FIXTURE, 'skills'), join(dirname(script), 'skills'), { recursive: true })
  return script
}
