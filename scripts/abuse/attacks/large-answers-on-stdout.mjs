import { createInterface } from 'node:readline'
import { sleep } from '../kit/http.mjs'
import { callTool, createLargeFile } from '../kit/large-file.mjs'

const { folder, name } = createLargeFile()
const OPEN = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'caller', version: '1' } }
const COUNT = 600

const say = ({ stdin }, message) => stdin.write(`${JSON.stringify(message)}\n`)

/** Hundreds of calls whose answers have a megabyte each, by a client that reads none of them until much later. */
export default {
  name: 'large answers on stdout',
  server: { args: ['serve', 'workbench', '--stdio', '--root', folder], transport: 'stdio' },
  async warmUp({ child }) {
    say(child, { jsonrpc: '2.0', id: 'open', method: 'initialize', params: OPEN })
    say(child, { jsonrpc: '2.0', method: 'notifications/initialized' })
    const lines = createInterface({ input: child.stdout })
    say(child, callTool('warm', 'read_file', { path: name }))
    for await (const line of lines) if (JSON.parse(line).id === 'warm') break
    lines.close()
  },
  async attack({ child }) {
    child.stdout.pause()
    for (let id = 0; id < COUNT; id++) say(child, callTool(id, 'read_file', { path: name }))
    await sleep(5000)
    const answered = new Set()
    const refusals = new Set()
    const lines = createInterface({ input: child.stdout })
    lines.on('line', (line) => {
      const { id, error } = JSON.parse(line)
      answered.add(id)
      if (error !== undefined) refusals.add(error.message)
    })
    for (let round = 0; round < 300 && answered.size < COUNT; round++) await sleep(100)
    lines.close()
    const missing = COUNT - answered.size
    return { refusals: [...refusals], failed: missing > 0 ? [`${missing} calls were never answered`] : [] }
  },
}
