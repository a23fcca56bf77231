import { callTool, measure, readMemory, warmUp } from '../../dist/bench/index.js'
import { HttpProcess } from './http-process.mjs'
import { checkAnswers, ECHO } from './stdio-cases.mjs'

/** One notice before the answer makes it a stream of events, whoever answers. */
const NOTIFY = callTool('notify', { count: 1 })
const ASKED = { json: ECHO, events: NOTIFY }

export const GROUPS = ['handshake', 'post-only'].flatMap((era) => [
  { era, answers: 'json' },
  { era, answers: 'events' },
])

/** Whoever answers wrongly is left out of all of it, whoever sends no notices of what needs them. */
export async function checkHttp(entries, { samples, plan }) {
  const fit = []
  for (const entry of entries) {
    try {
      const { forms, sessions } = await tryOut(entry, { samples, plan })
      fit.push({ ...entry, forms, sessions })
    } catch (error) {
      samples.note(`${entry.name} (HTTP, ${entry.revision.id}) was left out: ${error.message}`)
    }
  }
  return fit
}

async function tryOut(entry, { samples, plan }) {
  const server = await HttpProcess.start(entry)
  try {
    const connection = server.client.connect()
    const session = await server.client.openSession(connection)
    await checkAnswers((asked) => server.client.ask(connection, asked, session), entry, samples)
    connection.close()
    const events = plan.forms.includes('events') && (await sendsEvents(entry))
    return { forms: events ? ['json', 'events'] : ['json'], sessions: session !== '' }
  } finally {
    await server.stop()
  }
}

async function sendsEvents(entry) {
  const server = await HttpProcess.start(entry, { answers: 'events' })
  try {
    const connection = server.client.connect()
    const session = await server.client.openSession(connection)
    const { head, messages } = await server.client.post(connection, NOTIFY, session)
    return /event-stream/.test(head) && messages.length === 2
  } finally {
    await server.stop()
  }
}

/** The processes of a group are alive at once and take turns, slice by slice. */
export async function httpLoads(entries, context) {
  const { plan } = context
  for (let round = 0; round < plan.rounds; round++) {
    for (const group of GROUPS) {
      const live = await startGroup(entries, group, context)
      for (const connections of plan.connections)
        await takeTurns(live, { ...group, connections, round }, context)
      await Promise.all(live.map(({ server }) => server.stop()))
    }
  }
}

const ofGroup = (entries, { era, answers }) =>
  entries.filter((entry) => entry.era === era && entry.forms.includes(answers))

async function startGroup(entries, { era, answers }, { plan, progress }) {
  const live = []
  for (const entry of ofGroup(entries, { era, answers })) {
    progress.step(`HTTP, ${entry.revision.id}, ${answers}: starting`)
    const server = await HttpProcess.start(entry, { answers })
    const sessions = entry.sessions ? await server.openSessions(Math.max(...plan.connections)) : ['']
    const load = server.client.flood(ASKED[answers], 16, sessions)
    await warmUp(load, plan.warmUp)
    live.push({ entry, server, sessions })
  }
  return live
}

async function takeTurns(live, { era, answers, connections, round }, { samples, plan, progress }) {
  for (let cycle = 0; cycle < plan.cycles; cycle++) {
    for (const { entry, server, sessions } of live) {
      progress.step(`HTTP, ${entry.revision.id}, ${answers}, ${connections} connections`)
      const load = server.client.flood(ASKED[answers], connections, sessions)
      const slice = await measure(load, { pid: server.pid, seconds: plan.seconds })
      const turn = round * 100 + cycle
      samples.add(`http.${answers}.${connections}`, entry, turn, slice.rate, slice.generator)
      if (slice.failed > 0)
        samples.note(`${entry.name} (HTTP, ${era}, ${answers}) failed ${slice.failed} calls`)
      if (answers !== 'json' || connections !== 16) continue
      samples.add('http.cpu', entry, turn, slice.cpu)
      samples.add('http.rss', entry, turn, readMemory(server.pid))
    }
  }
}

export function countHttpSteps(entries, { rounds, cycles, connections }) {
  const live = GROUPS.reduce((total, group) => total + ofGroup(entries, group).length, 0)
  return rounds * live * (1 + cycles * connections.length)
}
