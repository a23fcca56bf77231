import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { callTool, measure, median, printNumber, printTable, warmUp } from '../../dist/bench/index.js'
import { findRevision } from '../../dist/kernel/index.js'
import { startPostgres } from '../../scripts/postgres.mjs'
import { startRedis } from '../../scripts/redis.mjs'
import { ROOT } from './contenders.mjs'
import { HttpProcess } from './http-process.mjs'

const SERVER = join(import.meta.dirname, '..', 'servers', 'perigee.mjs')
const REVISION = findRevision('2025-11-25')
const ASKED = { json: callTool('echo', { message: 'hello' }), events: callTool('notify', { count: 1 }) }
const CONNECTIONS = 16

/** One server on each store, taking turns; and what it costs a client to come back on another node. */
export async function benchStores({ quick, write }) {
  const plan = quick ? { cycles: 3, seconds: 0.3, resumes: 100 } : { cycles: 11, seconds: 0.5, resumes: 1000 }
  const engines = [await startRedis(), await startPostgres()]
  try {
    const urls = { memory: undefined, redis: engines[0].url, postgres: engines[1].url }
    const rows = []
    for (const answers of ['json', 'events']) rows.push(...(await measureStores(urls, answers, plan)))
    const resumes = []
    for (const name of ['redis', 'postgres']) resumes.push(await measureResumes(name, urls[name], plan))
    const kept = promisesOf(rows, resumes)
    report({ rows, resumes, kept }, write)
    return kept
  } finally {
    await Promise.all(engines.map((engine) => engine.stop()))
  }
}

function start(url, answers) {
  const env = url === undefined ? {} : { BENCH_STORE: url }
  return HttpProcess.start({ name: 'perigee', args: [SERVER, 'http'], revision: REVISION, env }, { answers })
}

async function measureStores(urls, answers, { cycles, seconds }) {
  const live = []
  for (const [name, url] of Object.entries(urls)) {
    const server = await start(url, answers)
    const sessions = await server.openSessions(CONNECTIONS)
    await warmUp(server.client.flood(ASKED[answers], CONNECTIONS, sessions), { calls: 30_000, seconds: 2 })
    live.push({ name, server, sessions, rates: [], cpus: [] })
  }
  for (let cycle = 0; cycle < cycles; cycle++) {
    for (const { server, sessions, rates, cpus } of live) {
      const load = server.client.flood(ASKED[answers], CONNECTIONS, sessions)
      const slice = await measure(load, { pid: server.pid, seconds })
      if (slice.failed > 0) throw new Error(`${slice.failed} calls failed`)
      rates.push(slice.rate)
      cpus.push(slice.cpu)
    }
  }
  await Promise.all(live.map(({ server }) => server.stop()))
  const [memory] = live
  return live.map(({ name, rates, cpus }) => ({
    name,
    answers,
    rate: median(rates),
    cpu: median(cpus),
    rateRatio: median(rates.map((rate, at) => rate / memory.rates[at])),
    cpuRatio: median(cpus.map((cpu, at) => cpu / memory.cpus[at])),
  }))
}

/** A call is begun on one node, its stream broken, and the rest asked for on another: until the first byte of it. */
async function measureResumes(name, url, { resumes }) {
  const [one, other] = [await start(url, 'events'), await start(url, 'events')]
  const times = []
  try {
    const [session] = await one.openSessions(1)
    const headers = { 'mcp-session-id': session, 'mcp-protocol-version': REVISION.id }
    for (let round = 0; round < resumes; round++) {
      const lastId = await breakStream(one, headers)
      const began = performance.now()
      await resume(other, { ...headers, 'last-event-id': lastId })
      times.push(performance.now() - began)
    }
  } finally {
    await Promise.all([one.stop(), other.stop()])
  }
  times.sort((a, b) => a - b)
  return { name, p50: times[Math.floor(times.length / 2)], p99: times[Math.floor(times.length * 0.99)] }
}

/** Gives the id that the client would come back with: the first of the stream. */
function breakStream({ url }, headers) {
  return firstEvent(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...ASKED.events }),
  })
}

async function resume({ url }, headers) {
  await firstEvent(url, { method: 'GET', headers })
}

function firstEvent(url, { method, headers, body }) {
  return new Promise((resolve, reject) => {
    const accept = method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream'
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request(
      url,
      { method, agent: false, headers: { accept, ...type, ...headers } },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`${method} was answered ${response.statusCode}`))
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
          const [, id] = /^id: (\S+)$/m.exec(text) ?? []
          if (id === undefined) return
          response.destroy()
          resolve(id)
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

const WANTED = {
  cpu: 'CPU of JSON answers at most 1.15 × that of memory',
  events: 'answers with events at least 0.5 × the rate of memory',
  resume: 'coming back on another node, p99 under 50 ms',
}

function promisesOf(rows, resumes) {
  const find = (name, answers) => rows.find((row) => row.name === name && row.answers === answers)
  const promise = (what, value, isKept) => ({ what, value, state: isKept ? 'kept' : 'not kept' })
  const cpus = ['redis', 'postgres'].map((name) => {
    const { cpuRatio } = find(name, 'json')
    return promise(`${name}: ${WANTED.cpu}`, cpuRatio.toFixed(2), cpuRatio <= 1.15)
  })
  const { rateRatio } = find('redis', 'events')
  const events = promise(`redis: ${WANTED.events}`, rateRatio.toFixed(2), rateRatio >= 0.5)
  const back = resumes.map(({ name, p99 }) =>
    promise(`${name}: ${WANTED.resume}`, `${p99.toFixed(1)} ms`, p99 < 50),
  )
  return [...cpus, events, ...back]
}

function report({ rows, resumes, kept }, write) {
  const head = ['store', 'answers', 'calls/s', 'of memory', 'CPU µs a call', 'of memory']
  const table = rows.map(({ name, answers, rate, rateRatio, cpu, cpuRatio }) => [
    name,
    answers,
    printNumber(rate),
    rateRatio.toFixed(2),
    cpu.toFixed(1),
    cpuRatio.toFixed(2),
  ])
  const back = resumes.map(({ name, p50, p99 }) => [name, `${p50.toFixed(1)} ms`, `${p99.toFixed(1)} ms`])
  const promises = kept.map(({ what, value, state }) => [what, value, state])
  const tables = [
    [head, ...table],
    [['coming back on another node', 'p50', 'p99'], ...back],
    [['promise', 'measured', ''], ...promises],
  ]
  const text = tables.map(([names, ...cells]) => printTable(names, cells)).join('\n\n')
  console.log(text)
  if (!write) return
  const folder = join(ROOT, 'bench', 'results')
  mkdirSync(folder, { recursive: true })
  const when = new Date().toISOString().slice(0, 10)
  writeFileSync(
    join(folder, 'stores.md'),
    `# Stores beside each other, ${when}\n\nHTTP, 2025-11-25, ${CONNECTIONS} connections; \`npm run bench -- --only stores\`.\n\n${text}\n`,
  )
}
