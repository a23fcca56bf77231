import { setTimeout as sleep } from 'node:timers/promises'

/** How long a change may take to be served, and a call to be answered, before all is given up. */
const PATIENCE_MS = 30_000

/** Every so many edits one more tool is offered, of which clients are to be told. */
const TOOL_EVERY = 5

/** Edits a project while some clients are connected to it; gives a row for each of them. */
export async function storm(project, { transport, openers, patienceMs = PATIENCE_MS, ...plan }) {
  const server = transport === 'http' ? await project.serve() : undefined
  const clients = []
  for (const [name, open] of openers) {
    const client = await open({ command: project.command, url: server?.url })
    const kept = { ran: [], seen: [], calls: [], failed: 0, old: 0, isGivenUp: false, complaints: [] }
    clients.push(Object.assign(client, { name, patienceMs, ...kept }))
  }
  const stderr = server?.stderr ?? (() => clients[0].stderr)
  const done = await editAll(project, { ...plan, clients, stderr })
  await Promise.all(clients.map((client) => isTold(client, done.changes)))
  const reloads = Array.from(stderr().matchAll(/reloaded in (\d+) ms/g), ([, ms]) => Number(ms))
  const rows = clients.map((client) => rowOf(client, { ...done, reloads }))
  await Promise.all(clients.map((client) => client.close()))
  return rows
}

/** Ends early where somebody has been given up: the rest would be waiting. */
async function editAll(project, { clients, edits, broken, pauseMs, stderr }) {
  const done = { edits: 0, broken: 0, changes: 0 }
  const isOver = () => clients.some(({ isGivenUp }) => isGivenUp)
  await Promise.all(clients.map((client) => callsUntil(client, 0)))
  while (done.edits < edits && !isOver()) {
    const number = done.edits + 1
    if (broken > 0 && number % Math.ceil(edits / broken) === 0) {
      await breakOnce(project, { number, clients, stderr })
      done.broken++
    }
    if (number % TOOL_EVERY === 0) done.changes++
    const saved = Date.now()
    project.save(number, done.changes)
    await Promise.all(clients.map((client) => callsNext(client, number, saved)))
    done.edits++
    await sleep(pauseMs)
  }
  return done
}

/** The call after a save, and a plain one, each client's beside those of the others. */
async function callsNext(client, number, saved) {
  const first = await callsUntil(client, number)
  client.ran.push(first.ran - saved)
  client.seen.push(first.seen - saved)
  if (client.isGivenUp) return
  const began = Date.now()
  const plain = await callsUntil(client, number)
  client.calls.push(plain.seen - began)
}

/** Calls until the newest code answers; gives when that ran, by its own word, and when its answer was here. */
async function callsUntil(client, wanted) {
  const end = Date.now() + client.patienceMs
  for (;;) {
    const { number, ran } = await callsOnce(client)
    const seen = Date.now()
    if (number === wanted) return { ran, seen }
    if (number !== undefined) {
      client.old++
      client.complaints.push(`a call after ${wanted} was saved was answered by ${number}`)
    }
    client.isGivenUp ||= seen >= end
    if (client.isGivenUp) return { ran: seen, seen }
    await sleep(50)
  }
}

async function callsOnce(client) {
  const late = new AbortController()
  try {
    const text = await Promise.race([client.call(), givesUp(client, late.signal)])
    const [, number, ran] = /^(\d+) (\d+)$/.exec(text) ?? []
    if (number === undefined) throw new Error(`the client was told: ${text}`)
    return { number: Number(number), ran: Number(ran) }
  } catch (error) {
    client.failed++
    client.complaints.push(error.message)
    return {}
  } finally {
    late.abort()
  }
}

async function givesUp(client, signal) {
  await sleep(client.patienceMs, undefined, { signal })
  client.isGivenUp = true
  throw new Error(`a call was not answered within ${client.patienceMs / 1000} s`)
}

/** What cannot be loaded changes nothing. */
async function breakOnce(project, { number, clients, stderr }) {
  const count = () => stderr().match(/not reloaded/g)?.length ?? 0
  const before = count()
  const [{ patienceMs, complaints }] = clients
  project.break(number)
  for (let waited = 0; count() === before && waited < patienceMs; waited += 5) await sleep(5)
  if (count() === before) complaints.push('a broken file was not complained of')
  await Promise.all(clients.map((client) => callsUntil(client, number - 1)))
}

/** The last notice may still be on its way, and a host's model sees what is offered when it is asked the next time. */
async function isTold(client, changes) {
  const end = Date.now() + client.patienceMs
  while (client.told < changes && !client.isGivenUp && Date.now() < end) {
    await sleep(100)
    await callsOnce(client)
  }
}

function rowOf(client, { edits, broken, changes, reloads }) {
  const { name, ran, seen, calls, lost, failed, old, told, complaints } = client
  const isTold = told === undefined || told === changes
  return {
    wrong: lost.length + failed + old + (isTold ? 0 : 1),
    complaints: [...new Set([...lost, ...complaints])].concat(
      isTold ? [] : `told of ${told} changes of ${changes}`,
    ),
    cells: [
      ...[name, edits, broken, lost.length, failed, old, told === undefined ? '–' : `${told}/${changes}`],
      ...[at(reloads, 0.95), at(ran, 0.95), at(seen, 0.5), at(seen, 0.95), at(seen, 1)],
      ...[at(calls, 0.5), at(calls, 0.95)],
    ],
  }
}

function at(times, part) {
  const sorted = [...times].sort((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? 0)
}
