// Mixed clients of all revisions, many of whom leave in the middle of something, for as long as is asked for.
//   npm run soak -- --minutes 10 [--seed 1] [--write]
// Three rounds; after each, everybody has gone and the server idles: what it then holds must be what it held before.
// `--write` puts what that was into docs/SECURITY-MODEL.md.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sleep } from './abuse/kit/http.mjs'
import { startVictim } from './abuse/kit/victim.mjs'
import { ROOT } from './outside.mjs'
import { kinds } from './soak/clients.mjs'
import { printTable, writeTable } from './table.mjs'

const ROUNDS = 3
const AT_ONCE = 24

/** What may be kept after a round, in terms of after the one before: code that V8 has compiled counts as heap. */
const MAX_GROWTH = 1.1

/** Everything has been forgotten by then, with the limits that the server is given. */
const IDLE_MS = 8000

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
})
const random = createRandom(Number(values.seed))
const server = await startVictim({ script: join(import.meta.dirname, 'soak', 'server.mjs') })
const visits = kinds(server.url, random).flatMap((kind) => Array.from({ length: kind.often }, () => kind))
const counts = new Map()
const refused = []

/** The first round is there to be compared with: until then not everything has been loaded. */
await round(3000)
const looks = [await look()]
for (let one = 1; one <= ROUNDS; one++) {
  await round((Number(values.minutes) * 60_000) / ROUNDS)
  looks.push(await look())
  console.log(
    `round ${one} of ${ROUNDS}: ${[...counts.values()].reduce((sum, count) => sum + count, 0)} visits`,
  )
}
await server.stop()
report()

async function round(milliseconds) {
  const until = Date.now() + milliseconds
  const caller = async () => {
    while (Date.now() < until && server.alive()) await visit(visits[Math.floor(random() * visits.length)])
  }
  await Promise.all(Array.from({ length: AT_ONCE }, caller))
}

async function visit({ name, visit }) {
  counts.set(name, (counts.get(name) ?? 0) + 1)
  const note = ({ status, text }) => {
    if (status >= 400) refused.push(`${name}: ${status} ${text.slice(0, 150)}`)
  }
  await visit(note).catch((error) => refused.push(`${name}: ${error.message}`))
}

async function look() {
  await sleep(IDLE_MS)
  const { heap, resources } = await server.ask('look')
  const asked = await fetch(new URL('/metrics', server.url), { headers: { connection: 'close' } })
  const metrics = await asked.text()
  const used = (budget) => Number(new RegExp(`budget_used\\{budget="${budget}"\\} (\\S+)`).exec(metrics)?.[1])
  return {
    heap,
    resources,
    sessions: used('maxSessions'),
    streams: used('maxStreams'),
    calls: used('maxCalls'),
  }
}

function report() {
  const head = ['after', 'heap', 'timers', 'sockets', 'sessions', 'streams', 'calls']
  const rows = looks.map(({ heap, resources, sessions, streams, calls }, round) => [
    round === 0 ? 'warming up' : `round ${round}`,
    `${(heap / 2 ** 20).toFixed(1)} MiB`,
    resources.Timeout ?? 0,
    resources.TCPSocketWrap ?? 0,
    sessions,
    streams,
    calls,
  ])
  printTable(head, rows)
  printTable(['caller', 'visits'], [...counts])
  const checks = [...judge()]
  for (const [what, good] of checks) console.log(`${good ? 'held' : 'FAILED'}  ${what}`)
  for (const one of new Set(refused)) console.log(`    ${one}`)
  const failed = checks.filter(([, good]) => !good).length
  if (values.write) {
    const visits = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const how = `\`npm run soak -- --minutes ${values.minutes}\`, ${visits} visits, ${refused.length} refused`
    writeTable({ file: join(ROOT, 'docs', 'SECURITY-MODEL.md'), name: 'soak', how, head, rows })
  }
  console.log(`${checks.length - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}

function* judge() {
  const [first, , ...later] = looks
  const last = looks.at(-1)
  yield [
    `nobody who behaved well was refused, in ${[...counts.values()].reduce((a, b) => a + b, 0)} visits`,
    refused.length === 0,
  ]
  for (const name of ['sessions', 'streams', 'calls']) yield [`no ${name} are left`, last[name] === 0]
  yield ['no more timers than before', (last.resources.Timeout ?? 0) <= (first.resources.Timeout ?? 0)]
  yield [
    'no more sockets than before',
    (last.resources.TCPSocketWrap ?? 0) <= (first.resources.TCPSocketWrap ?? 0),
  ]
  const grown = later.every(({ heap }, place) => heap <= looks[place + 1].heap * MAX_GROWTH)
  yield [`the heap does not grow from round to round`, grown]
}

/** The same visits for the same seed, as far as the machine's own timing lets them be. */
function createRandom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
