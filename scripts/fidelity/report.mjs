// What came of the runs: a table, why what is missing is missing, and the same for docs/GATEWAY.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../outside.mjs'
import { printTable, writeTable } from '../table.mjs'
import { CLIENTS } from './pairings.mjs'
import { reasonOf } from './reasons.mjs'

const HEAD = ['client', 'upstream', 'over', 'scenarios', 'named', 'failed']
const OTHERS = ['client', 'through', 'over', 'scenarios', 'without an end']
const GUIDE = join(ROOT, 'docs', 'GATEWAY.md')
const MARKS = /(<!-- fidelity -->\n)[\s\S]*?(<!-- \/fidelity -->)/

export function report(results, { write, only, short }) {
  const all = [...results].map(([run, scenarios]) => judge(run, scenarios))
  const [judged, others] = [all.filter(({ run }) => !run.peer), all.filter(({ run }) => run.peer)]
  printTable(HEAD, judged.map(rowOf))
  if (others.length > 0) printTable(OTHERS, others.map(otherRow))
  for (const { run, named, failed } of judged) {
    for (const { scenario, why } of named) console.log(`${run.name}: ${scenario}: ${why}`)
    for (const { scenario, text } of failed) console.log(`${run.name}: ${scenario}: FAILED: ${text}`)
  }
  if (write) writeGuide(judged, others, only === '' && !short)
  const bad = judged.reduce((sum, { failed, missing }) => sum + failed.length + missing, 0)
  const good = judged.reduce((sum, { passed }) => sum + passed, 0)
  console.log(`${good} passed, ${bad} failed`)
  process.exitCode = bad > 0 ? 1 : 0
}

/** What is not good has a reason, or has failed. */
function judge(run, scenarios) {
  const wrong = scenarios.filter(({ failed, empty }) => failed.length > 0 || empty)
  const told = wrong.map(({ scenario, failed }) => ({
    scenario,
    why: reasonOf(scenario, run.upstream),
    text: failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`).join('; ') || 'nothing was checked',
  }))
  return {
    run,
    passed: scenarios.length - wrong.length,
    missing: CLIENTS[run.client].scenarios - scenarios.length,
    named: told.filter(({ why }) => why !== undefined),
    failed: told.filter(({ why }) => why === undefined),
  }
}

function rowOf({ run: { client, upstream }, passed, named, failed, missing }) {
  const { revision = 'direct', transport = 'Streamable HTTP' } = upstream ?? {}
  return [
    client,
    revision,
    transport,
    `${passed} of ${CLIENTS[client].scenarios}`,
    named.length,
    failed.length + missing,
  ]
}

function otherRow({ run: { client, peer }, passed, missing }) {
  return [client, peer, 'stdio', `${passed} of ${CLIENTS[client].scenarios}`, missing]
}

/** What is missing in a run of some pairings alone stays as it was. */
function writeGuide(judged, others, isWhole) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  if (others.length > 0)
    writeTable({ file: GUIDE, name: 'peers', how: PEERS_HOW, head: OTHERS, rows: others.map(otherRow) })
  const text = readFileSync(GUIDE, 'utf8')
  if (!isWhole) return writeFileSync(GUIDE, judged.map(rowOf).reduce(replaceRow, text))
  const table = [line(HEAD), line(HEAD.map(() => '---')), ...judged.map(rowOf).map(line)]
  const whys = new Map()
  for (const { scenario, why } of judged.flatMap(({ named }) => named))
    whys.set(why, (whys.get(why) ?? new Set()).add(scenario))
  const reasons = [...whys].map(([why, scenarios]) => `- ${why}: ${[...scenarios].join(', ')}`)
  const whole = [...table, '', 'Named, with the reason:', '', ...reasons, ''].join('\n')
  writeFileSync(GUIDE, text.replace(MARKS, `$1${whole}$2`))
}

function replaceRow(text, cells) {
  const begins = `| ${cells.slice(0, 3).join(' | ')} |`
  return text
    .split('\n')
    .map((one) => (one.startsWith(begins) ? `| ${cells.join(' | ')} |` : one))
    .join('\n')
}

const PEERS_HOW = '`npm run fidelity`'
const HOW = '`npm run fidelity -- --packages`'
const PACKAGES = ['package', 'version', 'requests', 'answered the same']
const STRANGERS = ['server', 'over', 'revision', 'result']

/** What official servers answer direct and through the gateway, and how our client gets on with others. */
export function reportOthers(compared, visited, { write }) {
  const same = compared.map(({ name, version, requests, different }) => [
    name,
    version,
    requests,
    requests - different.length,
  ])
  const met = visited.map(({ name, over, revision = '', failed }) => [name, over, revision, failed ?? 'ok'])
  printTable(PACKAGES, same)
  printTable(STRANGERS, met)
  for (const { name, different } of compared)
    for (const { asked, direct, through } of different) {
      const { method, params } = asked
      console.log(`${name}: ${method} ${JSON.stringify(params)}`)
      console.log(`  direct:  ${JSON.stringify(direct).slice(0, 1000)}`)
      console.log(`  through: ${JSON.stringify(through).slice(0, 1000)}`)
    }
  if (write) {
    writeTable({ file: GUIDE, name: 'packages', how: HOW, head: PACKAGES, rows: same })
    writeTable({ file: GUIDE, name: 'strangers', how: HOW, head: STRANGERS, rows: met })
  }
  const bad =
    compared.reduce((sum, { different }) => sum + different.length, 0) +
    visited.filter(({ failed }) => failed !== undefined).length
  const all = compared.reduce((sum, { requests }) => sum + requests, 0) + visited.length
  console.log(`${all - bad} passed, ${bad} failed`)
  process.exitCode = bad > 0 ? 1 : 0
}
