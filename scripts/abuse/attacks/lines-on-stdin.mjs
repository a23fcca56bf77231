import { createInterface } from 'node:readline'
import { sleep } from '../kit/http.mjs'

const OPEN = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'caller', version: '1' } }

const say = ({ stdin }, message) => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

const add = (id) => ({ id, method: 'tools/call', params: { name: 'add', arguments: { a: 1, b: 2 } } })

/** Collects the ids of answers until one of them has come. */
async function hear({ stdout }, last) {
  const heard = new Set()
  const lines = createInterface({ input: stdout })
  lines.on('line', (line) => heard.add(JSON.parse(line).id))
  for (let round = 0; round < 600 && !heard.has(last); round++) await sleep(100)
  lines.close()
  return heard
}

/** A client that reads nothing while it says half a million small things, and one whose cancels come after too many calls. */
export default {
  name: 'lines on stdin',
  server: { args: ['serve', '--stdio'], transport: 'stdio' },
  refused: false,
  async warmUp({ child }) {
    say(child, { id: 'open', method: 'initialize', params: OPEN })
    say(child, { method: 'notifications/initialized' })
    for (let id = 0; id < 200; id++) say(child, add(`warm ${id}`))
    child.stdin.write('1\n'.repeat(100))
    say(child, add('warm'))
    await hear(child, 'warm')
  },
  async attack({ child }) {
    child.stdout.pause()
    child.stdin.write('1\n'.repeat(524_288))
    await sleep(3000)
    const countdown = { name: 'countdown', arguments: { seconds: 3600 } }
    for (let id = 1; id <= 300; id++) say(child, { id, method: 'tools/call', params: countdown })
    say(child, { id: 'ping', method: 'ping' })
    for (let id = 1; id <= 300; id++)
      say(child, { method: 'notifications/cancelled', params: { requestId: id } })
    say(child, add('after'))
    const heard = await hear(child, 'after')
    const missing = ['ping', 'after'].filter((id) => !heard.has(id))
    return { failed: missing.map((id) => `${id} was never answered`) }
  },
}
