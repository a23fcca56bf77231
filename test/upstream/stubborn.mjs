// A server that stays when it is told to go, and has a child that does, too: its answer names both. With a number, it
// goes itself so many milliseconds after it has been told; with a file, its number stands there as often as it was.
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , afterMs, file] = process.argv
process.on('SIGTERM', () => {
  if (file) appendFileSync(file, `${process.pid}\n`)
  if (afterMs) setTimeout(() => process.exit(0), Number(afterMs))
})
const stay = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"
const child = spawn(process.execPath, ['-e', stay], { stdio: 'ignore' })
setInterval(() => {}, 1000)
process.stderr.write('I am here to stay\n')

const INFO = { name: 'stubborn', version: '1' }
const ANSWERS = {
  initialize: () => ({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: INFO }),
  'tools/list': () => ({ tools: [{ name: 'pids', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: `${process.pid} ${child.pid}` }] }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const answer = ANSWERS[method]
  const said = answer ? { result: answer() } : { error: { code: -32601, message: 'Method not found' } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...said })}\n`)
})
