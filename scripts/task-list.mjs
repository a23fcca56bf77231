// How long a page of a task list takes where there are many tasks, and whether memory stays as it is:
//   npm run build && node scripts/task-list.mjs [--tasks 1000000] [--seconds 40] [--engine sqlite|postgres] [--json]
// The list is first written as the code before wrote it, so that migrating it is measured, too.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { connect } from '../dist/client/index.js'
import { defineServer } from '../dist/index.js'
import { taskList } from '../dist/modules/task-list/index.js'
import { startPostgres } from './postgres.mjs'
import { fillPostgres, fillSqlite } from './task-list/fill.mjs'
import { createKinds } from './task-list/kinds.mjs'

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '40' },
    engine: { type: 'string', default: 'sqlite' },
    json: { type: 'boolean', default: false },
  },
})
const count = Number(values.tasks)
const MiB = 1024 * 1024

/** How often memory is looked at. */
const PARTS = 10

/** The first call waits until everything is migrated. */
const PATIENCE_MS = 3_600_000

const folder = mkdtempSync(join(tmpdir(), 'perigee-task-list-'))
const postgres = values.engine === 'postgres' ? await startPostgres() : undefined
try {
  const url = postgres?.url ?? `sqlite:${join(folder, 'tasks.db')}`
  const [filled] = await timed(() => (postgres ? fillPostgres(url, count) : fillSqlite(url.slice(7), count)))
  const server = defineServer({ name: 'list', version: '1', modules: [taskList({ store: url })] })
  const client = await connect(server)
  const use = async (tool, args) => {
    const { structuredContent, isError, content } = await client.callTool(tool, args, {
      timeoutMs: PATIENCE_MS,
    })
    if (isError) throw new Error(content[0].text)
    return structuredContent
  }
  if (postgres) await ask(url, 'VACUUM ANALYZE task_list')
  const [migrated] = await timed(() => use('list_tasks', { limit: 1 }))
  const report = await measure(use)
  report.engine = values.engine
  Object.assign(report, { count, filledSeconds: seconds(filled), migratedSeconds: seconds(migrated) })
  if (values.json) console.log(JSON.stringify(report))
  else print(report)
  await client.close()
  await server.close()
} finally {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Asks for one kind of page after the other, until the time is over. */
async function measure(use) {
  const kinds = await createKinds(use)
  let busy = () => 0
  const taken = new Map(Object.keys(kinds).map((name) => [name, []]))
  const one = async (name) => {
    const args = kinds[name]()
    const before = busy()
    const [ms] = await timed(() => use('list_tasks', args))
    taken.get(name).push({ ms, cpu: busy() - before })
  }
  for (let round = 0; round < 3; round++) for (const name of taken.keys()) await one(name)
  for (const times of taken.values()) times.length = 0
  const processes = postgres ? await findBackends(postgres.url) : []
  busy = () => cpuOf(processes)
  const end = performance.now() + Number(values.seconds) * 1000
  while (performance.now() < end) for (const name of taken.keys()) await one(name)
  const all = [...taken.values()].flat()
  return {
    pages: all.length,
    all: summary(all),
    kinds: Object.fromEntries([...taken].map(([name, times]) => [name, summary(times)])),
    memory: await watchMemory(use, kinds),
  }
}

/** As many more pages, of which nothing is kept, and what is left after each part of them. */
async function watchMemory(use, kinds) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const look = (pages) => {
    collect()
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
    return { pages, all: rss / MiB, heap: heapUsed / MiB, reserved: heapTotal / MiB, beside: external / MiB }
  }
  const points = [look(0)]
  for (let part = 0, pages = 0; part < PARTS; part++) {
    const end = performance.now() + (Number(values.seconds) * 1000) / PARTS
    while (performance.now() < end)
      for (const ask of Object.values(kinds)) {
        await use('list_tasks', ask())
        pages++
      }
    points.push(look(pages))
  }
  return points
}

/** Milliseconds that this process and others have been at work. */
function cpuOf(others) {
  const { user, system } = process.cpuUsage()
  const nanoseconds = (pid) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0])
  return (user + system) / 1000 + others.reduce((sum, pid) => sum + nanoseconds(pid) / 1e6, 0)
}

/** The processes that answer; there is one for each connection. */
async function findBackends(url) {
  const rows = await ask(
    url,
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
  )
  return rows.map(({ pid }) => pid)
}

async function ask(url, sql) {
  const { default: pg } = await import('pg')
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows
}

function print({ engine, count, filledSeconds, migratedSeconds, pages, all, kinds, memory }) {
  console.log(`${engine}, ${count} tasks: filled in ${filledSeconds} s, migrated in ${migratedSeconds} s`)
  const rows = Object.entries(kinds).sort(([, one], [, other]) => other.p99 - one.p99)
  for (const [name, times] of rows) console.log(row(name, times))
  console.log(row(`all ${pages} pages`, all))
  for (const { pages, all, heap, reserved, beside } of memory) {
    const [whole, used, kept, other] = [all, heap, reserved, beside].map((one) => one.toFixed(1))
    console.log(
      `after ${pages} more pages: ${whole} MiB, heap ${used} of ${kept}, and ${other} that it knows of`,
    )
  }
}

function row(name, { p50, p99, max, cpu }) {
  const ms = [p50, p99, max, cpu].map((one) => one.toFixed(1).padStart(9)).join('')
  return `${name.padEnd(34)}${ms} ms (p50, p99, max; p99 of CPU, the database's included)`
}

function summary(times) {
  const at = (what, part) => {
    const sorted = times.map((one) => one[what]).toSorted((one, other) => one - other)
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  }
  return { p50: at('ms', 0.5), p99: at('ms', 0.99), max: at('ms', 1), cpu: at('cpu', 0.99) }
}

async function timed(work) {
  const began = performance.now()
  const result = await work()
  return [performance.now() - began, result]
}

function seconds(ms) {
  return Number((ms / 1000).toFixed(1))
}
