// Changes one place of the source at a time and says which changes no test notices.
//   npm run mutants -- --sample 200 --seed 1 [--minutes 120] [--again [--only KEY,KEY]] [--in kernel,transports]
//   npm run mutants -- --guards --sample 999 --in transports/http/auth,confined [--tests test/auth,test/http]
// All changes stand in one copy of the tree, asleep; a trial wakes one of them. A first run, with all of them asleep,
// tells which tests reach which change, so that only those are run for it, those that reach little else first, by a
// Vitest that stays; what fails is run again with the change asleep, so that no unsteady test counts. `--again` takes the
// copy and the first run of last time, also for another seed and whatever has become of the sources: only test files
// that have changed since are brought there and run once more. `--guards` has only those changes by which a guard lets
// everybody pass; with `--tests` only tests of these folders or files are run; `--kind 'drop the await,> to >='` has only
// changes of these kinds. What is known to change nothing that anybody could see stands in mutants/equivalents.json,
// with the reason.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findGone, readEquivalents } from './mutants/equivalents.mjs'
import { TREE } from './mutants/places.mjs'
import { groupBy, readReach } from './mutants/reach.mjs'
import { findSites, sampleOf } from './mutants/sites.mjs'
import { plant, readSites, refresh } from './mutants/tree.mjs'
import { baseline, end, findUnsteady, nameOf, wake } from './mutants/trial.mjs'

const FOLDERS = 'kernel,transports,stores,confined,middleware'

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
    kind: { type: 'string', default: '' },
  },
})

const sites = values.again ? readSites() : plantAll()
await listen()
const { tests, failed } = readReach(sites)
for (const name of failed) console.log(`left out, since it fails on a planted tree: ${name.slice(0, 200)}`)
const gone = findGone(sites)
for (const { file, line } of gone) console.log(`equivalents.json: not in ${file} any more: ${line}`)

const equivalents = readEquivalents()
const started = Date.now()
const wanted = choose()
const told = []
for (const site of wanted) {
  if (Date.now() - started > Number(values.minutes) * 60_000) break
  const begun = Date.now()
  told.push({ site, ...(await judge(site, [])) })
  say(`[${told.length}/${wanted.length}] `, told.at(-1), Date.now() - begun)
}
await confirm()
end()
summarize()

function plantAll() {
  const found = findSites(values.in.split(',')).map((site, index) => ({ ...site, id: index + 1 }))
  console.log(`planting ${found.length} changes …`)
  plant(found)
  return found
}

/** Which test reaches which change. */
async function listen() {
  const count = sites.length
  if (!values.again) {
    console.log('running all tests once …')
    return baseline({ below: values.tests.split(','), count })
  }
  const changed = refresh(values.tests.split(','))
  if (changed.length === 0) return
  console.log(`running ${changed.length} changed test files once …`)
  await baseline({ files: changed.map((file) => join(TREE, file)), count })
}

function choose() {
  const within = values.in.split(',').map((folder) => `src/${folder}/`)
  const kinds = values.kind.split(',')
  const all = sites
    .filter(({ kind }) => values.kind === '' || kinds.includes(kind))
    .filter(({ file }) => within.some((folder) => file.startsWith(folder)))
    .filter(({ kind }) => !values.guards || kind === 'drop the guard')
  if (values.only !== '') return all.filter(({ key }) => values.only.split(',').includes(key))
  const unreached = all.filter(({ id }) => !tests.some(({ reaches }) => reaches[id] === 1))
  console.log(
    `${values.sample} of ${all.length} places, seed ${values.seed}; ${unreached.length} of all are reached by no test`,
  )
  return sampleOf(all, Number(values.sample), Number(values.seed))
}

async function judge(site, unsteady) {
  const known = equivalents.get(site.key)
  if (known !== undefined) return { kind: 'equivalent', why: known }
  const reaching = tests.filter((test) => test.reaches[site.id] === 1 && !unsteady.includes(nameOf(test)))
  if (reaching.length === 0) return { kind: 'unreached' }
  const siblings = sites.filter(({ file, early }) => file === site.file && !early).map(({ id }) => id)
  const noticed = await wake({ ...site, siblings }, reaching)
  if (noticed === undefined) return { kind: 'survived' }
  const { why = noticed.test.name, test } = noticed
  return { kind: 'killed', why, by: test }
}

/** A test that fails with every change asleep, too, has noticed nothing. */
async function confirm() {
  const killers = new Map(told.filter(({ by }) => by).map(({ by }) => [nameOf(by), by]))
  const unsteady = (await findUnsteady([...killers.values()])).map(nameOf)
  for (const [place, { site, by }] of told.entries()) {
    if (by === undefined || !unsteady.includes(nameOf(by))) continue
    told[place] = { site, ...(await judge(site, unsteady)) }
    say('again, without an unsteady test: ', told[place], 0)
  }
}

function say(before, { site, kind, why }, took) {
  const { file, line, text, key } = site
  console.log(
    `${before}${kind}, ${(took / 1000).toFixed(1)} s: ${file}:${line} ${site.kind}: ${text}  (${key})`,
  )
  if (why !== undefined) console.log(`    ${why.slice(0, 300)}`)
}

function summarize() {
  for (const [folder, of] of groupBy(told, ({ site }) => site.file.split('/')[1]))
    console.log(`${folder}: ${sum(of)}`)
  const left = wanted.length - told.length
  const each = (Date.now() - started) / 1000 / Math.max(1, told.length)
  console.log(
    `${sum(told)}, ${each.toFixed(1)} s each${left > 0 ? `, ${left} not tried for want of time` : ''}`,
  )
  process.exitCode = shareOf(told) < Number(values.floor) || gone.length > 0 ? 1 : 0
}

function sum(of) {
  const count = (kind) => of.filter((one) => one.kind === kind).length
  return (
    `${count('killed')} killed, ${count('survived')} survived, ${count('unreached')} reached by no test, ` +
    `${count('equivalent')} known to change nothing: ${shareOf(of).toFixed(1)} % of those that matter`
  )
}

function shareOf(of) {
  const matter = of.filter(({ kind }) => kind !== 'equivalent')
  return matter.length === 0
    ? 100
    : (100 * matter.filter(({ kind }) => kind === 'killed').length) / matter.length
}
