// A server of the newest revision on stdio whose tools grow when it is told to; it may refuse to tell of that.
import { createInterface } from 'node:readline'

const refuses = process.argv.includes('--refuses')
const META = 'io.modelcontextprotocol/subscriptionId'
const tools = [
  { name: 'grow', inputSchema: { type: 'object' } },
  { name: 'pid', inputSchema: { type: 'object' } },
]
const listening = []
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const text = (said) => ({ resultType: 'complete', content: [{ type: 'text', text: said }] })

const METHODS = {
  'server/discover': () => ({
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: { listChanged: !refuses } },
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'changing', version: '1' } },
  }),
  'tools/list': () => ({ resultType: 'complete', tools, ttlMs: 0, cacheScope: 'private' }),
  'tools/call': ({ name }) => {
    if (name === 'pid') return text(String(process.pid))
    tools.push({ name: `grown_${tools.length - 1}`, inputSchema: { type: 'object' } })
    for (const id of listening)
      say({ method: 'notifications/tools/list_changed', params: { _meta: { [META]: id } } })
    return text('grown')
  },
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  if (method === 'subscriptions/listen' && !refuses) {
    listening.push(id)
    const { notifications } = params
    return say({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications, _meta: { [META]: id } },
    })
  }
  const answer = METHODS[method]
  if (answer === undefined) say({ id, error: { code: -32601, message: `Method not found: ${method}` } })
  else say({ id, result: answer(params) })
})
