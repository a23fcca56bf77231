// A server as small as they come, of an older revision.
import { createInterface } from 'node:readline'

const INFO = { name: 'quiet', version: '1' }
const ANSWERS = {
  initialize: { protocolVersion: '2025-03-26', capabilities: { tools: {} }, serverInfo: INFO },
  'tools/list': { tools: [{ name: 'say', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'said' }] },
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const result = ANSWERS[method]
  const said = result ? { result } : { error: { code: -32601, message: 'Method not found' } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...said })}\n`)
})
