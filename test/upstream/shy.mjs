// A server of 2025 on stdio that lists more to clients that can be asked, and tells after each handshake that its list has changed.
import { createInterface } from 'node:readline'

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const tool = (name) => ({ name, inputSchema: { type: 'object' } })
let capabilities = {}

const METHODS = {
  initialize: (params) => {
    capabilities = params.capabilities
    return {
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'shy', version: '1' },
    }
  },
  'tools/list': () => ({ tools: ['echo', ...('elicitation' in capabilities ? ['ask'] : [])].map(tool) }),
  'tools/call': ({ name }) => ({ content: [{ type: 'text', text: `${name} here` }] }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'notifications/initialized') say({ method: 'notifications/tools/list_changed' })
  if (id === undefined) return
  const answer = METHODS[method]
  if (answer === undefined) say({ id, error: { code: -32601, message: `Method not found: ${method}` } })
  else say({ id, result: answer(params) })
})
