// A server that asks for its client's folders as soon as it is greeted, and whenever they change; it says early that its tools have changed.
import { createInterface } from 'node:readline'

const INFO = { name: 'curious', version: '1' }
let known = 'not answered'
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const ask = () => say({ id: 'folders', method: 'roots/list' })

const ANSWERS = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true } },
    serverInfo: INFO,
  }),
  'tools/list': () => ({ tools: [{ name: 'folders', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: known }] }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, result, error } = JSON.parse(line)
  if (id === 'folders' && method === undefined)
    known = error ? `refused: ${error.code}` : result.roots.map(({ uri }) => uri).join()
  if (/initialized|roots\/list_changed/.test(method)) ask()
  if (id === undefined || method === undefined) return
  const answer = ANSWERS[method]
  if (answer === undefined) return say({ id, error: { code: -32601, message: 'Method not found' } })
  if (method !== 'initialize') return say({ id, result: answer() })
  say({ method: 'notifications/tools/list_changed' })
  setTimeout(() => say({ id, result: answer() }), 100)
})
