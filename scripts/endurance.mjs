// Rounds of connect, call, kill -9 of the client, of the upstream or of the gateway: nobody may be left, and nothing may grow.
//   npm run endurance -- [--rounds 1000] [--sick: one sick upstream among ten under load, reported] [--write: into docs/GATEWAY.md]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { connect } from '../dist/client/index.js'
import { startVictim } from './abuse/kit/victim.mjs'
import { measureSickness } from './endurance/sickness.mjs'
import { printTable, writeTable } from './table.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    sick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const GUIDE = join(import.meta.dirname, '..', 'docs', 'GATEWAY.md')
if (values.sick) {
  const measured = await measureSickness()
  if (values.write)
    writeTable({ file: GUIDE, name: 'sickness', how: '`npm run endurance -- --sick`', ...measured })
  process.exit()
}

const HERE = join(import.meta.dirname, 'endurance')
const [GATEWAY, UPSTREAM, CLIENT] = ['gateway', 'upstream', 'client'].map((name) => join(HERE, `${name}.mjs`))
/** By which the processes of this run are known from all others. */
const MARK = `endurance-of-${process.pid}`
const AT_ONCE = 3
const LOOKS = Number(values.rounds) < 200 ? 2 : 4

/** What may be kept after a part of the rounds, in terms of after the one before. */
const MAX_GROWTH = 1.1

/** Sessions have been forgotten and processes ended by then. */
const IDLE_MS = 9000
const PATIENCE_MS = 30_000

const rounds = Number(values.rounds)
const killed = { client: 0, upstream: 0, gateway: 0 }
const wrong = []
const looks = []
let taken = 0

const ROUNDS = {
  client: async (round) => {
    const revision = ['2025-06-18', '2025-11-25', '2026-07-28'][round % 3]
    const client = spawn(process.execPath, [CLIENT, gateway.url, revision], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = once(client, 'exit')
    try {
      await Promise.race([once(client.stdout, 'data'), late(client, 'the client was not answered')])
    } finally {
      client.kill('SIGKILL') // Also one that was not answered: it would hold on to what it has opened.
      await ended
    }
  },
  upstream: async () => {
    const client = await connect(gateway.url, { revision: '2025-11-25', timeoutMs: PATIENCE_MS })
    try {
      const [pid] = await pidsOf(client)
      const onProgress = () => process.kill(pid, 'SIGKILL')
      const { isError } = await client.callTool('wait', {}, { onProgress })
      if (isError !== true) throw new Error('a call of a server that was killed did not fail')
      const [next] = await pidsOf(client)
      if (next === pid) throw new Error('a process that was killed has answered')
    } finally {
      await client.close()
    }
  },
  /** Its own, on stdio: whoever it has started goes with it. */
  gateway: async () => {
    const args = [GATEWAY, 'stdio', UPSTREAM, `${MARK}-stdio`]
    const client = await connect({ command: process.execPath, args }, { timeoutMs: PATIENCE_MS })
    const pids = await pidsOf(client)
    process.kill(parentOf(pids[0]), 'SIGKILL')
    await client.close().catch(() => {}) // It has been killed.
    const until = Date.now() + PATIENCE_MS
    while (pids.some(isAlive)) {
      if (Date.now() > until) throw new Error('its processes have outlived it')
      await sleep(100)
    }
  },
}

const gateway = await startVictim({ script: GATEWAY, args: ['http', UPSTREAM, MARK] })
await play(Math.min(rounds, 12))
looks.push(await look())
for (let part = 1; part <= LOOKS; part++) {
  await play(Math.round((rounds * part) / LOOKS))
  looks.push(await look())
}
gateway.child.kill('SIGTERM')
await once(gateway.child, 'exit')
const orphans = await leftAfter(PATIENCE_MS)
report()

async function play(until) {
  const one = async () => {
    while (taken < until) {
      const round = taken++
      const kind = round % 25 === 24 ? 'gateway' : ['client', 'upstream'][round % 2]
      await ROUNDS[kind](round).catch((error) => wrong.push(`round ${round}, ${kind}: ${error.message}`))
      killed[kind]++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}

async function pidsOf(client) {
  const { content, isError } = await client.callTool('pids')
  if (isError) throw new Error(content[0].text)
  return content[0].text.split(' ').map(Number)
}

async function late(child, message) {
  await Promise.race([once(child, 'exit'), sleep(PATIENCE_MS)])
  throw new Error(message)
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

function parentOf(pid) {
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

/** The processes of this run that serve upstream. */
function servers() {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === gateway.pid) return false
    try {
      const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      return args.some((one) => one.startsWith(MARK)) && args.includes(UPSTREAM) && !args.includes(GATEWAY)
    } catch {
      return false // It has ended meanwhile.
    }
  })
}

async function look() {
  await sleep(IDLE_MS)
  const { heap, rss, resources } = await gateway.ask('look')
  return {
    heap,
    rss,
    resources,
    files: readdirSync(`/proc/${gateway.pid}/fd`).length,
    servers: servers().length,
  }
}

async function leftAfter(patienceMs) {
  const until = Date.now() + patienceMs
  while (servers().length > 0 && Date.now() < until) await sleep(200)
  return servers().length
}

function report() {
  const rows = looks.map(({ heap, rss, resources, files, servers }, part) => [
    part === 0 ? 'warming up' : `${Math.round((rounds * part) / LOOKS)} rounds`,
    `${(heap / 2 ** 20).toFixed(1)} MiB`,
    `${(rss / 2 ** 20).toFixed(0)} MiB`,
    resources.Timeout ?? 0,
    files,
    servers,
  ])
  const head = ['after', 'heap', 'resident', 'timers', 'files open', 'servers']
  const told = Object.entries(killed)
    .map(([kind, count]) => `${kind} killed ${count} times`)
    .join(', ')
  printTable(head, rows)
  console.log(told)
  const checks = [...judge()]
  for (const [what, good] of checks) console.log(`${good ? 'held' : 'FAILED'}  ${what}`)
  for (const one of wrong.slice(0, 20)) console.log(`    ${one}`)
  const failed = checks.filter(([, good]) => !good).length
  console.log(`${checks.length - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
  const how = `\`npm run endurance -- --rounds ${rounds}\`: ${told}, ${orphans} processes left, ${wrong.length} rounds went wrong`
  if (values.write) writeTable({ file: GUIDE, name: 'endurance', how, head, rows })
}

function* judge() {
  const [first, ...later] = looks
  const last = later.at(-1)
  yield [`${rounds} rounds went as they should`, wrong.length === 0]
  yield [`${orphans} processes are left`, orphans === 0]
  yield ['no more servers than before', last.servers <= Math.max(1, first.servers)]
  yield ['no more files are open than before', last.files <= first.files]
  yield ['no more timers than before', (last.resources.Timeout ?? 0) <= (first.resources.Timeout ?? 0)]
  yield [
    'the heap does not grow from look to look',
    later.slice(1).every(({ heap }, place) => heap <= later[place].heap * MAX_GROWTH),
  ]
}
