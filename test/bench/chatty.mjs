// A server that answers out of order and says more than it is asked: notices, requests of its own, and what is no message.
import { createInterface } from 'node:readline'

let waiting = []
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const result =
    method === 'initialize'
      ? { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'chatty', version: '1' } }
      : method === 'tools/list'
        ? { tools: [{ name: 'count', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] }
        : { content: [], structuredContent: { rows: [{ id: 7 }, { id: 2000000 }] } }
  waiting.push(`{"result": ${JSON.stringify(result)}, "jsonrpc": "2.0", "id": ${id}}\n`)
  setImmediate(answer)
})

function answer() {
  if (waiting.length === 0) return
  const answers = waiting.reverse()
  waiting = []
  const said = [
    'Connected to the database\n',
    '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n',
    '{"jsonrpc":"2.0","id":5,"method":"ping"}\n',
    'null\n',
  ]
  const text = answers.map((one, at) => (said[at % said.length] ?? '') + one).join('')
  process.stdout.write(text.slice(0, 10))
  setImmediate(() => process.stdout.write(text.slice(10)))
}
