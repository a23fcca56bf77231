// Sends every request to the other node, as a balancer may: one session, which neither of them owns.
import { connect } from 'perigee/client'

const NODES = ['127.0.0.1:8181', '127.0.0.1:8182']
let turn = 0
const fetchInTurn: typeof fetch = (input, init) => {
  const url = new URL(String(input))
  url.host = NODES[turn++ % NODES.length] ?? url.host
  return fetch(url, init)
}

const client = await connect('http://127.0.0.1:8181/mcp', { revision: '2025-11-25', fetch: fetchInTurn })
const answered = new Set<string>()
for (let call = 0; call < 6; call++) answered.add(JSON.stringify((await client.callTool('where')).content))
console.log(`6 calls in one session, answered by ${answered.size} nodes`)
await client.close()
