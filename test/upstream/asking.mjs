// A server of 2025-11-25 on stdio that asks each caller for a name, once it has had as many calls as it is told; what is
// answered to a question is what comes of the call that it belongs to.
import { createInterface } from 'node:readline'

const together = Number(process.argv[2])
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const calls = []

const ask = ({ id, who }) => {
  say({ method: 'notifications/message', params: { level: 'warning', data: `asking ${who}` } })
  say({
    id: `question ${id}`,
    method: 'elicitation/create',
    params: { message: who, requestedSchema: schema },
  })
}

const ANSWERS = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, logging: {} },
    serverInfo: { name: 'asking', version: '1' },
  }),
  'logging/setLevel': () => ({}),
  'tools/list': () => ({
    tools: ['ask', 'wait'].map((name) => ({ name, inputSchema: { type: 'object' } })),
  }),
}

const finish = (id, text) => say({ id, result: { content: [{ type: 'text', text }] } })

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result, error } = JSON.parse(line)
  if (id === undefined) return
  if (method === undefined) {
    const asked = calls.find((one) => `question ${one.id}` === id)
    finish(asked.id, error ? `${error.code}: ${error.message}` : (result.content?.name ?? result.action))
    for (const one of calls) if (one.name === 'wait') finish(one.id, 'waited')
    return
  }
  if (method === 'tools/call') {
    calls.push({ id, name: params.name, who: params.arguments.who })
    const { progressToken } = params._meta ?? {}
    if (progressToken !== undefined)
      say({ method: 'notifications/progress', params: { progressToken, progress: 1 } })
    const begun = calls.length === together ? calls : calls.length > together ? calls.slice(-1) : []
    for (const one of begun) if (one.name === 'ask') ask(one)
    return
  }
  const answer = ANSWERS[method]
  say({ id, ...(answer ? { result: answer() } : { error: { code: -32601, message: 'Method not found' } }) })
})
