// Attacks our servers the way hostile or broken callers would: real processes with a heap of 256 MiB, one attack each.
//   npm run abuse [-- --short] [--only name,name | --write]
// A row says whether the server lived, how much more it keeps afterwards, how long its loop was held and how much of a
// processor it had meanwhile, how long well-behaved callers beside it waited, and what the attacker was told. Times are
// told, and never judged. `--write` puts the table into docs/SECURITY-MODEL.md.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from './outside.mjs'
import { printTable, writeTable } from './table.mjs'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    write: { type: 'boolean' },
  },
})

if (values.write && values.only !== '') throw new Error('--write wants all attacks, without --only')

const folder = join(import.meta.dirname, 'abuse')
const rows = []
for (const file of readdirSync(join(folder, 'attacks')).toSorted()) {
  const row = await runAlone(file)
  if (row.skipped) continue
  rows.push(row)
  const { name, failed } = row
  console.log(
    `${failed.length === 0 ? 'held' : 'FAILED'}  ${name}${failed.map((why) => `\n    ${why}`).join('')}`,
  )
}
report()

/** Runs the attack in a file, and gives what came of it. */
async function runAlone(file) {
  const runner = join(folder, 'kit', 'run.mjs')
  const child = fork(runner, [join(folder, 'attacks', file), values.only, values.short ? 'short' : 'full'])
  const exited = once(child, 'exit')
  const ended = exited.then(([code, signal]) => [
    { name: file, failed: [`the attack itself ended with ${code ?? signal}`] },
  ])
  const [row] = await Promise.race([once(child, 'message'), ended])
  await exited
  return row
}

function report() {
  const cells = rows.map((row) => [
    row.name,
    row.failed.length === 0 ? 'held' : 'failed',
    row.growth === undefined ? '–' : `${row.growth.toFixed(2)} ×`,
    row.loop === undefined ? '–' : `${Math.round(row.loop.held)} ms`,
    row.loop === undefined ? '–' : `${Math.round(row.loop.work)} ms, ${Math.round(row.loop.collecting)} ms`,
    row.p99?.[1] == null ? '–' : printWait(row.p99),
    (row.refusals?.[0] ?? '–').slice(0, 110),
  ])
  const head = ['attack', '', 'heap', 'loop held', 'at work, collecting', 'others, p99', 'the attacker hears']
  console.log()
  printTable(head, cells)
  if (values.write) {
    const how = `\`npm run abuse${values.short ? ' -- --short' : ''}\``
    writeTable({ file: join(ROOT, 'docs', 'SECURITY-MODEL.md'), name: 'abuse', how, head, rows: cells })
  }
  const failed = rows.filter((row) => row.failed.length > 0).length
  console.log(`${rows.length - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 || rows.length === 0 ? 1 : 0
}

function printWait([quiet, busy]) {
  return `${quiet.toFixed(1)} → ${busy.toFixed(1)} ms, ${(busy / quiet).toFixed(1)} ×`
}
