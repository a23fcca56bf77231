// A server that logs, and says that a page has been visited, when its call has been answered.
import { createInterface } from 'node:readline'

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

const ANSWERS = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, logging: {} },
    serverInfo: { name: 'noisy', version: '1' },
    instructions: 'Always go first.',
  },
  'tools/list': { tools: [{ name: 'go', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'gone' }] },
  'logging/setLevel': {},
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const result = ANSWERS[method]
  if (result === undefined) return say({ id, error: { code: -32601, message: 'Method not found' } })
  say({ id, result })
  if (method !== 'tools/call') return
  say({ method: 'notifications/message', params: { level: 'info', data: 'nobody wants it' } })
  say({ method: 'notifications/message', params: { level: 'error', data: 'between calls' } })
  say({ method: 'notifications/elicitation/complete', params: { elicitationId: 'a page' } })
})
