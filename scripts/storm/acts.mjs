import { sleep } from './wire.mjs'

const OLD = ['2024-11-05', '2025-03-26']
const SESSIONS = ['2025-03-26', '2025-06-18', '2025-11-25']
const WITH_TASKS = ['2025-11-25', '2026-07-28']
const NEWEST = '2026-07-28'

/** How long something lasts that a client cancels. */
const LONG_MS = 25_000

/** What clients do: how often, in which revisions if not in all, and how. */
export const ACTS = [
  { name: 'echo', often: 10, run: (one) => simple(one, 'echo') },
  { name: 'list', often: 1, run: ({ client }) => client.call('list', 'tools/list', {}) },
  { name: 'count', often: 4, run: (one) => count(one, { steps: 5, ms: 60 }) },
  { name: 'long count', often: 3, run: (one) => count(one, { steps: 8, ms: 300 }) },
  { name: 'cut', often: 4, in: SESSIONS, run: (one) => count(one, { steps: 8, ms: 100, cutAfter: 2 }) },
  { name: 'think', often: 3, run: (one) => ask(one, 'think') },
  { name: 'ask', often: 3, notIn: OLD, run: (one) => ask(one, 'ask') },
  { name: 'cancel', often: 2, run: cancel },
  { name: 'work', often: 3, in: WITH_TASKS, run: (one) => task(one, 'work', 1500) },
  { name: 'toil', often: 2, in: WITH_TASKS, run: (one) => task(one, 'toil', 1500) },
  { name: 'form', often: 2, in: WITH_TASKS, run: (one) => task(one, 'form') },
  { name: 'call off', often: 1, in: WITH_TASKS, run: callOff },
]

export function actsOf(revision, offered) {
  const fits = ({ in: only, notIn }) => only?.includes(revision) ?? !notIn?.includes(revision)
  return ACTS.filter((act) => fits(act) && (offered?.includes(act.name) ?? true)).flatMap((act) =>
    Array.from({ length: act.often }, () => act),
  )
}

const tool = (name, args) => ({ name, arguments: args })
const textOf = (result) => result?.content?.[0]?.text ?? JSON.stringify(result) ?? ''

/** Sees to it that the answer is the answer to what was asked. */
function check({ ledger }, op, expected) {
  if (op.outcome !== 'answered' || textOf(op.result).startsWith(`${expected} by `)) return
  const { kind, revision } = op
  ledger.wrong('wrong', {
    kind,
    revision,
    note: `expected ${expected}, got ${textOf(op.result).slice(0, 160)}`,
  })
}

async function simple({ client, storm }, name) {
  const token = storm.token()
  const op = await client.call(name, 'tools/call', tool(name, { token }))
  check(storm, op, token)
  if (op.outcome === 'answered')
    storm.ledger.samples.push({ kind: name, at: op.begun, ms: op.ended - op.begun })
}

async function count({ client, storm }, { steps, ms, cutAfter }) {
  const token = storm.token()
  const kind = cutAfter === undefined ? 'count' : 'cut'
  const op = await client.call(kind, 'tools/call', tool('count', { token, steps, ms }), {
    ownMs: steps * ms,
    cutAfter,
  })
  check(storm, op, token)
  if (op.outcome === 'answered') op.checkSteps(steps)
}

async function ask({ client, storm }, name) {
  const [token, word] = [storm.token(), storm.token()]
  const params = tool(name, { token })
  const op = await client.call(name, 'tools/call', params, { word })
  if (op.outcome !== 'answered') return
  if (client.revision !== NEWEST) return check(storm, op, `${token} ${word}`)
  const { resultType, inputRequests, requestState } = op.result
  if (resultType !== 'input_required') return check(storm, op, `${token} ${word}`)
  const inputResponses = answersTo(storm, inputRequests, word)
  const again = await client.call(name, 'tools/call', { ...params, inputResponses, requestState })
  check(storm, again, `${token} ${word}`)
}

function answersTo(storm, requests, word) {
  const answer = ([key, { method }]) => [key, storm.answerTo(method, word)]
  return Object.fromEntries(Object.entries(requests).map(answer))
}

async function cancel({ client, storm }) {
  const params = tool('wait', { token: storm.token(), ms: LONG_MS })
  await client.call('cancel', 'tools/call', params, { cancelAfter: 1 })
}

/** Makes a task and sees it through; gives its id, if it was acknowledged. */
async function task({ client, storm }, name, ms = 0) {
  const [token, word] = [storm.token(), storm.token()]
  const begun = Date.now()
  const made = await make({ client, name, args: { token, ms } })
  if (made === undefined) return
  const state = await untilEnd({ client, storm, id: made.id, word })
  if (state === undefined) return // The storm is over, or the session is.
  const { ledger } = storm
  const about = { kind: name, revision: client.revision }
  const killed = storm.killsSince(begun)
  const text = textOf(state.result)
  const expected = name === 'form' ? `${token} ${word}` : token
  if (state.status === 'completed') {
    ledger.count('tasks completed')
    if (!text.startsWith(`${expected} by `))
      ledger.wrong('task', { ...about, note: `expected ${expected}, got ${text.slice(0, 160)}` })
    else if (!text.endsWith(` by ${made.life?.name}`)) ledger.count('tasks completed elsewhere')
    return
  }
  const excused = name === 'toil' ? killed > 0 || ledger.isAway(begun, Date.now()) : killed >= 3
  if (excused) return ledger.count('tasks interrupted')
  ledger.wrong('task', {
    ...about,
    note: `${state.status}: ${JSON.stringify(state.error ?? state.statusMessage ?? text).slice(0, 160)}`,
  })
}

async function make({ client, name, args }) {
  const extra = client.revision === NEWEST ? {} : { task: { ttl: 300_000 } }
  const op = await client.call('task', 'tools/call', { ...tool(name, args), ...extra })
  if (op.outcome !== 'answered') return undefined
  const id = op.result.task?.taskId ?? op.result.taskId
  return id === undefined ? undefined : { id, life: [...op.lives][0] }
}

/** Looks at a task, on whichever node, until it is over. */
async function untilEnd({ client, storm, id, word }) {
  const { ledger } = storm
  ledger.count('tasks')
  const wrong = (note) => ledger.wrong('task', { kind: 'tasks/get', revision: client.revision, note })
  const begun = Date.now()
  const answered = new Set()
  while (client.isOpen) {
    const op = await client.call('tasks/get', 'tasks/get', { taskId: id })
    if (op.outcome === 'unexplained' && op.error?.code === -32602)
      return wrong(`acknowledged, and gone: ${op.note}`)
    if (op.outcome === 'answered') {
      const { status } = op.result
      if (status === 'input_required') await give({ client, storm, id, word, task: op.result, answered })
      else if (status !== 'working') return whole({ client, task: op.result, id })
    }
    if (Date.now() - begun > 60_000 && !ledger.isAway(begun, Date.now())) {
      ledger.wrong('hung', {
        kind: 'task',
        revision: client.revision,
        note: `still ${op.result?.status ?? op.outcome}`,
      })
      return undefined
    }
    await sleep(storm.over ? 200 : 400)
  }
}

/** What a task came to; 2025-11-25 has a method of its own for it. */
async function whole({ client, task, id }) {
  if (client.revision === NEWEST || task.status !== 'completed') return task
  for (let tries = 0; tries < 10 && client.isOpen; tries++) {
    const op = await client.call('tasks/result', 'tasks/result', { taskId: id })
    if (op.outcome === 'answered') return { ...task, result: op.result }
  }
  return undefined
}

/** Answers what a task asks: by tasks/update, or on the stream of tasks/result. */
async function give({ client, storm, id, word, task, answered }) {
  if (client.revision !== NEWEST) {
    await client.call('tasks/result', 'tasks/result', { taskId: id }, { word, ownMs: 15_000 })
    return
  }
  const open = Object.entries(task.inputRequests ?? {}).filter(([key]) => !answered.has(key))
  if (open.length === 0) return
  const inputResponses = answersTo(storm, Object.fromEntries(open), word)
  const op = await client.call('tasks/update', 'tasks/update', { taskId: id, inputResponses })
  if (op.outcome === 'answered') for (const [key] of open) answered.add(key)
}

/** Cancels a task from whichever node has its turn; it must then be cancelled, and stay so. */
async function callOff({ client, storm }) {
  const made = await make({ client, name: 'toil', args: { token: storm.token(), ms: LONG_MS } })
  if (made === undefined) return
  const begun = Date.now()
  const isExcused = () => storm.killsSince(begun - 500) > 0 || storm.ledger.isAway(begun, Date.now())
  let op
  // A task is over before it is called off if that was done before and not told, or if its node has died.
  const accepts = ({ code }) => code === -32602 && (op !== undefined || isExcused())
  do op = await client.call('tasks/cancel', 'tasks/cancel', { taskId: made.id }, { accepts })
  while (op.outcome !== 'answered' && op.outcome !== 'unexplained' && client.isOpen)
  const state = await untilEnd({ client, storm, id: made.id })
  if (state === undefined || state.status === 'cancelled') return
  if (isExcused() && state.status === 'failed') return
  const note = `${state.status} although it was cancelled`
  storm.ledger.wrong('task', { kind: 'call off', revision: client.revision, note })
}
