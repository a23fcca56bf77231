// A server of 2025-11-25 on stdio whose tool runs as a task only, and which refuses anything else by a result, as the SDK does.
import { createInterface } from 'node:readline'

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const [now, text] = [new Date().toISOString(), (said) => [{ type: 'text', text: said }]]
const task = { taskId: 'one', status: 'completed', ttl: 60_000, createdAt: now, lastUpdatedAt: now }

const METHODS = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } },
    serverInfo: { name: 'task-only', version: '1' },
  }),
  'tools/list': () => ({
    tools: [{ name: 'study', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }],
  }),
  'tools/call': (params) =>
    params.task === undefined ? { isError: true, content: text('study requires a task') } : { task },
  'tasks/result': () => ({ content: text('studied') }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = METHODS[method]
  if (answer === undefined) say({ id, error: { code: -32601, message: `Method not found: ${method}` } })
  else say({ id, result: answer(params) })
})
