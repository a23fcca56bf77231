import { printTable } from '../table.mjs'
import { WRONGS } from './ledger.mjs'
import { countBy } from './summary.mjs'

/** Prints what was asked, what came of it, and what was wrong with it. */
export function printReport(name, { ledger, crashes }, summary) {
  console.log(`${name}: ${summary.calls} calls, ${summary.kills} kills in ${summary.seconds} s`)
  printTable(['kind', 'asked', 'answered', 'cancelled', 'died', 'away', 'other'], rowsOf(ledger.settled))
  console.log(ledger.counts, summary.changes)
  console.log({ echo: summary.echo, resume: summary.resume, readiness: summary.readiness })
  for (const [what, count] of Object.entries(summary.wrongs)) {
    if (count > 0)
      printWrongs(
        what,
        ledger.wrongs.filter((one) => one.what === what),
      )
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

/** As many lines as can be read. */
const LINES = 12

const ID = /[0-9a-f]{8}-[0-9a-f-]{27}|[\w-]{20,}/g

function printWrongs(what, list) {
  console.log(`FAILED  ${what}: ${list.length} × ${WRONGS[what]}`)
  const lines = countBy(
    list,
    ({ kind, revision, note }) => `${revision} ${kind}: ${note.replaceAll(ID, 'ID')}`,
  )
  for (const [line, times] of [...lines].slice(0, LINES)) console.log(`    ${times} × ${line}`)
}
