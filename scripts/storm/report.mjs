import { printTable } from '../table.mjs'
import { WRONGS } from './ledger.mjs'
import { countBy } from './summary.mjs'

/** Prints what was asked, what came of it, and what was wrong with it. */
export function printReport(name, storm, summary) {
  const { ledger, crashes } = storm
  console.log(`${name}: ${summary.calls} calls, ${summary.kills} kills in ${summary.seconds} s`)
  printTable(['kind', 'asked', 'answered', 'cancelled', 'died', 'away', 'other'], rowsOf(ledger.settled))
  console.log(ledger.counts, summary.changes)
  console.log({ echo: summary.echo, resume: summary.resume, readiness: summary.readiness })
  for (const outcome of ['died', 'away']) printErrors(outcome, ledger.settled)
  for (const [what, count] of Object.entries(summary.wrongs)) {
    if (count > 0) printWrongs(what, storm)
  }
  for (const said of crashes.slice(0, 3)) console.log(`FAILED  a node ended by itself: ${said}`)
}

const ENDS = ['answered', 'cancelled', 'died', 'away']

function rowsOf(settled) {
  const kinds = [...new Set(settled.map(({ kind }) => kind))].sort((one, other) => one.localeCompare(other))
  return kinds.map((kind) => {
    const ops = settled.filter((op) => op.kind === kind)
    const ends = ENDS.map((outcome) => ops.filter((op) => op.outcome === outcome).length)
    return [kind, ops.length, ...ends, ops.length - ends.reduce((sum, count) => sum + count)]
  })
}

/** What the one error was that was owed. */
function printErrors(outcome, settled) {
  const ended = settled.filter((op) => op.outcome === outcome)
  if (ended.length === 0) return
  console.log(`${outcome}: ${ended.length}`)
  const lines = countBy(ended, ({ kind, note }) => `${kind}: ${note.replaceAll(ID, 'ID').slice(0, 120)}`)
  const often = [...lines].sort(([, one], [, other]) => other - one)
  for (const [line, times] of often.slice(0, LINES)) console.log(`    ${times} × ${line}`)
}

/** As many lines as can be read. */
const LINES = 12

const ID = /[0-9a-f]{8}-[0-9a-f-]{27}|[\w-]{20,}/g

function printWrongs(what, { ledger, begun }) {
  const list = ledger.wrongs.filter((one) => one.what === what)
  console.log(`FAILED  ${what}: ${list.length} × ${WRONGS[what]}`)
  const lines = new Map()
  for (const { kind, revision, note, at } of list) {
    const away = ledger.isAway(at - 1000, at) ? ', engine away' : ''
    const line = `${revision} ${kind}: ${note.replaceAll(ID, 'ID')}${away}`
    lines.set(line, [...(lines.get(line) ?? []), `${((at - begun) / 1000).toFixed(1)} s`])
  }
  for (const [line, times] of [...lines].slice(0, LINES))
    console.log(`    ${times.length} × ${line} (at ${times.slice(0, 4).join(', ')})`)
}
