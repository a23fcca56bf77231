// A server as small as they come, with a process of its own below it: `pids` names both, `wait` says that it has begun and never answers.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const below = spawn('sleep', ['1000'], { stdio: 'ignore' })
const INFO = { name: 'upstream', version: '1' }
const tool = (name) => ({ name, inputSchema: { type: 'object' } })
const ANSWERS = {
  initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: INFO }),
  'tools/list': () => ({ tools: [tool('pids'), tool('wait')] }),
  'tools/call': ({ name, _meta }) => {
    if (name === 'pids') return { content: [{ type: 'text', text: `${process.pid} ${below.pid}` }] }
    const { progressToken } = _meta ?? {}
    if (progressToken !== undefined)
      say({ method: 'notifications/progress', params: { progressToken, progress: 1 } })
    return undefined
  },
}
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined) return
    const answer = ANSWERS[method]
    const result = answer?.(params)
    if (answer !== undefined && result === undefined) return
    say(answer ? { id, result } : { id, error: { code: -32601, message: 'Method not found' } })
  })
  .on('close', () => process.exit())
