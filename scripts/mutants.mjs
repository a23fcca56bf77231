// Changes one place of the source at a time and says which changes no test notices.
//   npm run mutants -- --sample 200 --seed 1 [--in kernel,transports] [--minutes 120] [--again [--only KEY,KEY]]
//   npm run mutants -- --guards --sample 999 --in transports/http/auth,confined [--tests test/auth,test/http]
// All changes of a sample stand in one copy of the tree, asleep; a trial wakes one of them. A first run, with all of
// them asleep, tells which tests reach which change, so that only those are run for it, the quickest first, by a Vitest
// that stays; what fails is run again with the change asleep, so that no unsteady test counts. `--again` takes the copy
// and the first run of last time, whatever has become of the sources: only test files that have changed since are brought
// there and run once more. `--guards` has only those changes by which a guard lets everybody pass; with `--tests` only
// tests of these folders or files are run.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readEquivalents } from './mutants/equivalents.mjs'
import { TREE } from './mutants/places.mjs'
import { findSites, sampleOf } from './mutants/sites.mjs'
import { plant, readSites, refresh } from './mutants/tree.mjs'
import { baseline, end, readReach, wake } from './mutants/trial.mjs'

const FOLDERS = 'kernel,transports,stores,confined,middleware,schema,databases'

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    in: { type: 'string', default: FOLDERS },
    minutes: { type: 'string', default: '240' },
    floor: { type: 'string', default: '95' },
    again: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    guards: { type: 'boolean', default: false },
    tests: { type: 'string', default: '' },
  },
})

const sites = values.again ? readSites() : chooseSites()
if (values.again) {
  const tests = refresh()
  if (tests.length > 0) {
    console.log(`running ${tests.length} changed test files once …`)
    await baseline(tests.map((file) => join(TREE, file)))
  }
} else {
  console.log('planting them, and running all tests once …')
  plant(sites)
  await baseline(undefined, values.tests.split(','))
}

function chooseSites() {
  const found = findSites(values.in.split(','))
  const all = values.guards ? found.filter(({ kind }) => kind === 'drop the guard') : found
  console.log(`${values.sample} of ${all.length} places, seed ${values.seed}`)
  return sampleOf(all, Number(values.sample), Number(values.seed))
}

const { reach, failed } = readReach()
for (const name of failed) console.log(`left out, since it fails on a planted tree: ${name}`)

const equivalents = readEquivalents()
const counts = { killed: 0, survived: 0, unreached: 0, equivalent: 0, left: 0 }
const started = Date.now()
const wanted = values.only === '' ? sites : sites.filter(({ key }) => values.only.split(',').includes(key))
for (const [place, site] of wanted.entries()) {
  if (Date.now() - started > Number(values.minutes) * 60_000) {
    counts.left = wanted.length - place
    break
  }
  const begun = Date.now()
  const { kind, why } = await judge(site)
  counts[kind]++
  const seconds = ((Date.now() - begun) / 1000).toFixed(1)
  console.log(`[${place + 1}/${wanted.length}] ${kind}, ${seconds} s: ${describe(site)}`)
  if (why !== undefined) console.log(`    ${why}`)
}
end()

async function judge(site) {
  const why = equivalents.get(site.key)
  if (why !== undefined) return { kind: 'equivalent', why }
  const reached = reach.get(site.id)
  if (reached === undefined || reached.length === 0) return { kind: 'unreached' }
  const noticed = await wake(site, reached)
  return noticed === undefined ? { kind: 'survived' } : { kind: 'killed', why: noticed }
}

function describe({ file, line, kind, text, key }) {
  return `${file}:${line} ${kind}: ${text.replaceAll(/\s+/g, ' ').slice(0, 90)}  (${key})`
}

const matter = counts.killed + counts.survived + counts.unreached
const share = matter === 0 ? 100 : (100 * counts.killed) / matter
const left = counts.left > 0 ? `, ${counts.left} not tried for want of time` : ''
console.log(
  `${counts.killed} killed, ${counts.survived} survived, ${counts.unreached} reached by no test, ` +
    `${counts.equivalent} known to change nothing${left}: ${share.toFixed(1)} % of those that matter, ` +
    `${((Date.now() - started) / 1000 / Math.max(1, wanted.length - counts.left)).toFixed(1)} s each`,
)
process.exitCode = share < Number(values.floor) ? 1 : 0
