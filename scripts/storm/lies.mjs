// Servers that do what must not be done, so that it is known that the storm notices.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { ACTS } from './acts.mjs'
import { startBalancer } from './balancer.mjs'
import { Session } from './session.mjs'
import { Storm } from './storm.mjs'

const PROGRESS = (step) => ({ method: 'notifications/progress', params: { progress: step, total: 5 } })
const ANSWER = { result: { content: [{ type: 'text', text: 't1 by a liar' }] } }
const ERROR = { error: { code: -32603, message: 'The server that ran this call is gone' } }
const STEPS = [1, 2, 3, 4, 5].map(PROGRESS)

const MADE = { result: { task: { taskId: 'task' } } }
const OVER = { error: { code: -32602, message: 'The task is over already' } }
const STATE = (status) => ({ result: { taskId: 'task', status } })

/** What is said of a call that counts to five: a `break` closes the connection, a number is the status of a resume. */
const LIES = {
  nothing: [...STEPS, ANSWER],
  'nothing, and breaks': [...STEPS.slice(0, 2), 'break', ...STEPS.slice(2), ANSWER],
  'a step twice': [...STEPS.slice(0, 3), ...STEPS.slice(2), ANSWER],
  'no third step': [...STEPS.filter((_, place) => place !== 2), ANSWER],
  'the steps in another order': [...[1, 3, 2, 4, 5].map(PROGRESS), ANSWER],
  'a step after the answer': [...STEPS.slice(0, 4), ANSWER, ...STEPS.slice(4)],
  'the answer twice': [...STEPS, ANSWER, ANSWER],
  'no answer': STEPS,
  'the answer to something else': [
    ...STEPS,
    { result: { content: [{ type: 'text', text: 't2 by a liar' }] } },
  ],
  'an error for no reason': [ERROR],
  'an error, and dies': ['die', ERROR],
  'an event again after a break': [...STEPS.slice(0, 2), 'break', 'again', ...STEPS.slice(2), ANSWER],
  'that there is no such stream': [...STEPS.slice(0, 2), 'break', 400],
  'that there is no such session': [...STEPS.slice(0, 2), 'break', 404],
}

/** What is said of a task that is made, called off until that is answered, and looked at. */
const LIES_OF_TASKS = {
  'that a task is over which it called off before': [
    MADE,
    'break',
    'die',
    'break',
    OVER,
    'break',
    STATE('cancelled'),
  ],
  'that a task is over which goes on': [MADE, 'break', OVER, 'break', STATE('cancelled')],
  'that a task was called off which has failed': [
    MADE,
    'break',
    STATE('cancelled'),
    'break',
    STATE('failed'),
  ],
}

export const lies = [...Object.keys(LIES), ...Object.keys(LIES_OF_TASKS)]

/** Makes one call of a server that lies in this way; gives what the storm says of it. */
export async function hearLie(name) {
  const life = { name: 'liar', killed: undefined }
  const [act, kind] = name in LIES ? ['count', 'count'] : ['call off', 'tasks/cancel']
  const script = [...(LIES[name] ?? LIES_OF_TASKS[name])]
  const server = createServer((request, response) => void answer({ request, response, script, life }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const storm = new Storm({ contender: {} })
  storm.nodes = [{ port: server.address().port, life }]
  storm.balancer = await startBalancer(storm.nodes)
  const client = new Session(storm, '2025-11-25', 'a key')
  await client.open()
  const called = ACTS.find((one) => one.name === act).run({ client, storm })
  const patience = setTimeout(() => storm.ledger.sweep(Date.now() + 600_000), 1000)
  await called
  clearTimeout(patience)
  await new Promise((resolve) => setTimeout(resolve, 50)) // What comes after the answer must come.
  client.leave()
  await storm.balancer.stop()
  server.closeAllConnections()
  server.close()
  const { wrongs, settled } = storm.ledger
  return {
    outcome: settled.findLast((one) => one.kind === kind)?.outcome,
    wrongs: wrongs.map(({ what }) => what),
  }
}

async function answer({ request, response, script, life }) {
  let body = ''
  for await (const chunk of request) body += chunk
  const { id, method, params } = body === '' ? {} : JSON.parse(body)
  if (method === 'initialize') {
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' })
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }))
  }
  if (method === 'notifications/initialized') return response.writeHead(202).end()
  if (method !== undefined) script.call = { id, token: params._meta.progressToken }
  if (typeof script[0] === 'number') return response.writeHead(script.shift()).end()
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  tell(response, script, life)
}

function tell(response, script, life) {
  const { id, token } = script.call
  for (let next = script.shift(); next !== undefined; next = script.shift()) {
    if (next === 'break') return response.end()
    if (next === 'die') life.killed = Date.now()
    else if (next === 'again') response.write(script.last)
    else {
      script.number = (script.number ?? 0) + 1
      const { method, params, ...reply } = next
      const message =
        method === undefined ? { id, ...reply } : { method, params: { ...params, progressToken: token } }
      script.last = `id: s:${script.number}\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`
      response.write(script.last)
    }
  }
}
