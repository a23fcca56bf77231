// Changes one place of the source at a time and says which changes no test notices.
//   npm run mutants -- --sample 200 --seed 1 [--in kernel,transports] [--minutes 120] [--again]
// All changes of a sample stand in one copy of the tree, asleep; a test run wakes one of them. A first run, with all of
// them asleep, tells which test files reach which change, so that only those are run for it, the quickest first;
// `--again` takes the copy and the first run of last time, when nothing has changed since.
import { parseArgs } from 'node:util'
import { readEquivalents } from './mutants/equivalents.mjs'
import { findSites, sampleOf } from './mutants/sites.mjs'
import { plant, TREE } from './mutants/tree.mjs'
import { baseline, readBaseline, wake } from './mutants/trial.mjs'

const FOLDERS = 'kernel,transports,stores,confined,middleware,schema,databases'

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    in: { type: 'string', default: FOLDERS },
    minutes: { type: 'string', default: '240' },
    floor: { type: 'string', default: '95' },
    again: { type: 'boolean', default: false },
  },
})

const started = Date.now()
const all = findSites(values.in.split(','))
const sites = sampleOf(all, Number(values.sample), Number(values.seed))
console.log(`${sites.length} of ${all.length} places, seed ${values.seed}`)
if (!values.again) {
  console.log('planting them, and running all tests once …')
  plant(sites)
  await baseline(TREE)
}
const { reached, order, broken } = readBaseline(TREE)
for (const file of broken) console.log(`left out, since it fails on a planted tree: ${file}`)

const equivalents = readEquivalents()
const counts = { killed: 0, survived: 0, unreached: 0, equivalent: 0, left: 0 }
for (const [place, site] of sites.entries()) {
  if (Date.now() - started > Number(values.minutes) * 60_000) {
    counts.left = sites.length - place
    break
  }
  const verdict = await judge(site)
  counts[verdict.kind]++
  const progress = `[${place + 1}/${sites.length}]`
  if (verdict.kind !== 'killed')
    console.log(`${progress} ${verdict.kind}: ${describe(site)}${verdict.why ?? ''}`)
  else if (process.stdout.isTTY) process.stdout.write(`${progress} ${counts.killed} killed\r`)
}

async function judge(site) {
  const why = equivalents.get(site.key)
  if (why !== undefined) return { kind: 'equivalent', why: `\n    ${why}` }
  const files = order.filter((file) => reached.get(site.id)?.has(file))
  if (files.length === 0) return { kind: 'unreached' }
  return { kind: (await wake(TREE, site.id, files)) ? 'killed' : 'survived' }
}

function describe({ file, line, kind, text, key }) {
  return `${file}:${line} ${kind}: ${text.replaceAll(/\s+/g, ' ').slice(0, 90)}  (${key})`
}

const matter = counts.killed + counts.survived + counts.unreached
const share = matter === 0 ? 100 : (100 * counts.killed) / matter
const left = counts.left > 0 ? `, ${counts.left} not tried for want of time` : ''
console.log(
  `${counts.killed} killed, ${counts.survived} survived, ${counts.unreached} reached by no test, ` +
    `${counts.equivalent} known to change nothing${left}: ${share.toFixed(1)} % of those that matter`,
)
process.exitCode = share < Number(values.floor) ? 1 : 0
