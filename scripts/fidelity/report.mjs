// What came of the runs: a table, why what is missing is missing, and the same for docs/GATEWAY.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../outside.mjs'
import { printTable } from '../table.mjs'
import { CLIENTS } from './pairings.mjs'
import { reasonOf } from './reasons.mjs'

const HEAD = ['client', 'upstream', 'over', 'scenarios', 'named', 'failed']
const GUIDE = join(ROOT, 'docs', 'GATEWAY.md')
const MARKS = /(<!-- fidelity -->\n)[\s\S]*?(<!-- \/fidelity -->)/

export function report(results, { write }) {
  const judged = [...results].map(([run, scenarios]) => judge(run, scenarios))
  printTable(HEAD, judged.map(rowOf))
  for (const { run, named, failed } of judged) {
    for (const { scenario, why } of named) console.log(`${run.name}: ${scenario}: ${why}`)
    for (const { scenario, text } of failed) console.log(`${run.name}: ${scenario}: FAILED: ${text}`)
  }
  if (write) writeGuide(judged)
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

function writeGuide(judged) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  const table = [line(HEAD), line(HEAD.map(() => '---')), ...judged.map(rowOf).map(line)]
  const whys = new Map()
  for (const { scenario, why } of judged.flatMap(({ named }) => named))
    whys.set(why, (whys.get(why) ?? new Set()).add(scenario))
  const reasons = [...whys].map(([why, scenarios]) => `- ${why}: ${[...scenarios].join(', ')}`)
  const text = [...table, '', 'Named, with the reason:', '', ...reasons, ''].join('\n')
  writeFileSync(GUIDE, readFileSync(GUIDE, 'utf8').replace(MARKS, `$1${text}$2`))
}
