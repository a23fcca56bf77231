// Runs the official conformance suite against the fixture server, and prints one table.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { install, newerNode, ROOT } from './outside.mjs'

const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']

const suite = join(install('@modelcontextprotocol/conformance', '0.2.0-alpha.12'), 'dist', 'index.js')
const node = newerNode()
const { server, url } = await startFixture()
const rows = []
try {
  for (const revision of REVISIONS) rows.push(...(await runSuite(revision)))
} finally {
  server.kill()
}
report(rows)

/** The fixture is TypeScript as it stands in the repository: Node 24 reads it without a build. */
async function startFixture() {
  const fixture = join(ROOT, 'test', 'conformance', 'serve.ts')
  const server = spawn(node, ['--disable-warning=ExperimentalWarning', fixture], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(server.stdout, 'data')
  return { server, url: String(line).trim() }
}

async function runSuite(revision) {
  const args = [suite, 'server', '--url', url, '--suite', 'all', '--spec-version', revision]
  const running = spawn(node, args, { cwd: join(ROOT, '.cache'), stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [running.stdout, running.stderr]) stream.on('data', (chunk) => (output += chunk))
  await once(running, 'close')
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
