// A server of 2025 on stdio that has one more tool as soon as its tools have been listed once, tells so, and takes up the
// list of its resources only then.
import { createInterface } from 'node:readline'

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const tools = [{ name: 'first', inputSchema: { type: 'object' } }]

const METHODS = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true }, resources: {} },
    serverInfo: { name: 'growing', version: '1' },
  }),
  'tools/list': () => ({ tools: [...tools] }),
  'resources/list': () => ({ resources: [] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const answer = METHODS[method]
  if (answer === undefined)
    return say({ id, error: { code: -32601, message: `Method not found: ${method}` } })
  say({ id, result: answer() })
  if (method !== 'tools/list' || tools.length > 1) return
  tools.push({ name: 'second', inputSchema: { type: 'object' } })
  say({ method: 'notifications/tools/list_changed' })
})
