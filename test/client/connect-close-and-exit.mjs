// Connects in every way, leaves calls and subscriptions open, closes, and does not exit by itself.
import { connect } from '../../dist/client/index.js'

const [, , url] = process.argv
const answer = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id } = JSON.parse(line)
    const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: String(process.pid) } }
    if (id === 2) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
    else if (id === 1) console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }))
  })`
const stdio = await connect({ command: process.execPath, args: ['-e', answer] })
const [modern, session, pair] = [
  await connect(url),
  await connect(url, { revision: '2025-11-25' }),
  await connect(new URL('/sse', url)),
]
await modern.listen({ tools: true }, () => {})
const open = [stdio, modern, session, pair].map((client) => client.callTool('wait').catch(() => {}))
console.log(stdio.server.name)
for (const client of [stdio, modern, session, pair]) await client.close()
await Promise.all(open)
console.log('closed')
