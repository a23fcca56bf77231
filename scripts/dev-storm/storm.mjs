import { setTimeout as sleep } from 'node:timers/promises'

/** How long a change may take to be served before it is given up. */
const PATIENCE_MS = 30_000

/** Every so many edits one more tool is offered, of which clients are to be told. */
const TOOL_EVERY = 5

/** Edits a project while some clients are connected to it; gives a row for each of them. */
export async function storm(project, { transport, openers, edits, broken, pauseMs }) {
  const server = transport === 'http' ? await project.serve() : undefined
  const clients = []
  for (const [name, open] of openers) {
    const client = await open({ command: project.command, url: server?.url })
    clients.push(Object.assign(client, { name, times: [], calls: [], failed: 0, stale: 0, complaints: [] }))
  }
  const stderr = server?.stderr ?? (() => clients[0].stderr)
  for (const client of clients) await callsUntil(client, '0', performance.now())
  let changes = 0
  for (let number = 1; number <= edits; number++) {
    if (broken > 0 && number % Math.ceil(edits / broken) === 0)
      await breakOnce(project, { number, clients, stderr })
    if (number % TOOL_EVERY === 0) changes++
    const saved = performance.now()
    project.save(number, changes)
    for (const client of clients) client.times.push(await callsUntil(client, String(number), saved))
    for (const client of clients)
      client.calls.push(await callsUntil(client, String(number), performance.now()))
    await sleep(pauseMs)
  }
  await Promise.all(clients.map((client) => isTold(client, changes)))
  const rows = clients.map((client) => rowOf(client, { edits, broken, changes }))
  await Promise.all(clients.map((client) => client.close()))
  return rows
}

/** Calls until the newest code answers; gives how long that took. */
async function callsUntil(client, wanted, saved) {
  for (;;) {
    try {
      const answer = await client.call()
      if (answer === wanted) break
      if (Number(answer) > Number(wanted)) client.complaints.push(`got ${answer} before it was saved`)
    } catch (error) {
      client.failed++
      client.complaints.push(error.message)
      await sleep(50)
    }
    if (performance.now() - saved < PATIENCE_MS) continue
    client.stale++
    client.complaints.push(`${wanted} was not served within ${PATIENCE_MS / 1000} s`)
    break
  }
  return performance.now() - saved
}

/** What cannot be loaded changes nothing. */
async function breakOnce(project, { number, clients, stderr }) {
  const count = () => stderr().match(/not reloaded/g)?.length ?? 0
  const before = count()
  project.break(number)
  for (let waited = 0; count() === before && waited < PATIENCE_MS; waited += 5) await sleep(5)
  if (count() === before) clients[0].complaints.push('a broken file was not complained of')
  for (const client of clients) await callsUntil(client, String(number - 1), performance.now())
}

/** The last notice may still be on its way, and a host's model sees what is offered when it is asked the next time. */
async function isTold(client, changes) {
  for (let waited = 0; client.told < changes && waited < PATIENCE_MS; waited += 100) {
    await sleep(100)
    await client.call()
  }
}

function rowOf(client, { edits, broken, changes }) {
  const { name, times, calls, lost, failed, stale, told, complaints } = client
  const isTold = told === undefined || told === changes
  return {
    wrong: lost.length + failed + stale + (isTold ? 0 : 1),
    complaints: [...new Set([...lost, ...complaints])].concat(
      isTold ? [] : `told of ${told} changes of ${changes}`,
    ),
    cells: [
      ...[name, edits, broken, lost.length, failed + stale, told === undefined ? '–' : `${told}/${changes}`],
      ...[at(times, 0.5), at(times, 0.95), at(times, 1), at(calls, 0.5)],
    ],
  }
}

function at(times, part) {
  const sorted = [...times].sort((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? 0)
}
