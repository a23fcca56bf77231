// The official suite, run once and read.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { install, newerNode, ROOT } from '../outside.mjs'

const SUITE = '@modelcontextprotocol/conformance'

export const [OLD, NEW] = ['0.1.16', '0.2.0-alpha.12']

export const TASKS = [
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-status-notifications',
  'tasks-required-task-error',
  'tasks-mrtr-composition',
]

export const SKILLS = ['sep-2640-skills-enumeration', 'sep-2640-skills-directory', 'sep-2640-skills-manifest']

const HOW_CLIENTS_SAY_WHO = ['basic', 'post', 'none'].map((method) => `token-endpoint-auth-${method}`)

const SIGN_IN_2025 = [
  ...HOW_CLIENTS_SAY_WHO,
  ...[
    'metadata-default',
    'metadata-var1',
    'metadata-var2',
    'metadata-var3',
    'basic-cimd',
    'pre-registration',
  ],
  ...['scope-from-www-authenticate', 'scope-from-scopes-supported', 'scope-omitted-when-undefined'],
  ...['scope-step-up', 'scope-retry-limit'],
]

/** How one signs in, after auth/; of the extensions those that we have. */
export const SIGN_IN = {
  '2025-03-26': ['2025-03-26-oauth-metadata-backcompat', '2025-03-26-oauth-endpoint-fallback'],
  '2025-06-18': HOW_CLIENTS_SAY_WHO,
  '2025-11-25': SIGN_IN_2025,
  '2026-07-28': [
    ...SIGN_IN_2025,
    ...['resource-mismatch', 'offline-access-scope', 'offline-access-not-supported'],
    ...['authorization-server-migration', 'iss-supported', 'iss-not-advertised', 'iss-supported-missing'],
    ...['iss-wrong-issuer', 'iss-unexpected', 'iss-normalized', 'metadata-issuer-mismatch'],
  ],
  extension: ['client-credentials-basic', 'client-credentials-jwt'],
}

/**
 * A warning, and a check that was skipped, count as failed, with these exceptions: the suite skips one scenario itself,
 * whoever answers, and asks a client of the newest revision for a handshake that this has not. (Two warnings of 0.1.16, in server-sse-polling and server-sse-multiple-streams, are said to be
 * unavoidable. They are not: a stream begins as the session has agreed, whatever version a request names.)
 */
const ALWAYS_SKIPPED = ['tasks-status-notifications', 'http-standard-headers']

/** Gives a function that runs the suite with some arguments and gives the scenarios that it ran. */
export async function openSuite(output) {
  const node = await newerNode()
  const installed = {
    [OLD]: join(await install(SUITE, OLD), 'dist', 'index.js'),
    [NEW]: join(await install(SUITE, NEW), 'dist', 'index.js'),
  }
  mkdirSync(output, { recursive: true })

  return async ({ name, version, side, calls, quiet, limitMs }, target) => {
    const folder = mkdtempSync(join(output, 'run-'))
    const until = Date.now() + (limitMs ?? 0)
    for (const call of calls) {
      const args = [installed[version], side, ...call, ...target, '-o', folder]
      const running = spawn(node, args, { cwd: join(ROOT, '.cache'), stdio: ['ignore', 'pipe', 'pipe'] })
      const late = setTimeout(() => running.kill(), Math.max(1, until - Date.now()))
      if (limitMs === undefined) clearTimeout(late)
      let said = ''
      for (const stream of [running.stdout, running.stderr]) stream.on('data', (chunk) => (said += chunk))
      const [code] = await once(running, 'close')
      clearTimeout(late)
      if (code !== 0 && !quiet) console.log(`${name}: the suite ended with ${code}\n${said.slice(-2000)}`)
    }
    const finished = readdirSync(folder, { recursive: true }).filter((one) => basename(one) === 'checks.json')
    return finished.map((one) => readScenario(folder, dirname(one)))
  }
}

/** A scenario's checks, each of which must have succeeded; remarks of the suite's are no checks. */
function readScenario(folder, name) {
  const [, scenario] = /^(?:server-)?(.+)-\d{4}-\d\d-\d\dT[\dZ-]+$/.exec(name) ?? []
  const checks = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8'))
  const isSkipped = ({ status }) => ALWAYS_SKIPPED.includes(scenario) && status === 'SKIPPED'
  const counted = checks.filter((check) => check.status !== 'INFO')
  return {
    scenario,
    passed: counted.filter(({ status }) => status === 'SUCCESS').length,
    skipped: counted.filter(isSkipped).length,
    failed: counted.filter((check) => check.status !== 'SUCCESS' && !isSkipped(check)),
    empty: counted.length === 0,
  }
}
