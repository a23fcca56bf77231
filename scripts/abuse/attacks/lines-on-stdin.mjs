import { createInterface } from 'node:readline'
import { sleep } from '../kit/http.mjs'

const OPEN = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'caller', version: '1' } }

/** A client that reads nothing while it says a million small things, and one whose cancels come after too many calls. */
export default {
  name: 'lines on stdin',
  server: { args: ['serve', '--stdio'], transport: 'stdio' },
  refused: false,
  async attack({ child }) {
    const say = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const heard = new Set()
    child.stdout.pause()
    child.stdin.write('1\n'.repeat(524_288))
    await sleep(3000)
    createInterface({ input: child.stdout }).on('line', (line) => heard.add(JSON.parse(line).id))
    say({ id: 'open', method: 'initialize', params: OPEN })
    say({ method: 'notifications/initialized' })
    const call = (id) =>
      say({ id, method: 'tools/call', params: { name: 'countdown', arguments: { seconds: 3600 } } })
    for (let id = 1; id <= 300; id++) call(id)
    say({ id: 'ping', method: 'ping' })
    for (let id = 1; id <= 300; id++) say({ method: 'notifications/cancelled', params: { requestId: id } })
    say({ id: 'after', method: 'tools/call', params: { name: 'add', arguments: { a: 1, b: 2 } } })
    for (let round = 0; round < 600 && !heard.has('after'); round++) await sleep(100)
    const failed = ['open', 'ping', 'after']
      .filter((id) => !heard.has(id))
      .map((id) => `${id} was never answered`)
    return { failed }
  },
}
