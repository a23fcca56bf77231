// The least that reading a file and saying so takes: open, fstat, read, close, one write for what came together. It looks
// at nothing, and would read any file there is. With `--unread` it says the same of no file at all: what is left is JSON
// and the pipe, which nobody who answers can do without.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const UNREAD = process.argv.includes('--unread') ? 'x'.repeat(1024) : undefined

const print = (id, result) => `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`

function answer({ id, method, params }) {
  if (id === undefined) return ''
  if (method === 'initialize')
    return print(id, {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'bare', version: '1.0.0' },
    })
  return print(id, { content: [{ type: 'text', text: UNREAD ?? read(params.arguments.path) }] })
}

function read(path) {
  const file = openSync(path, 'r')
  const bytes = Buffer.allocUnsafe(fstatSync(file).size)
  readSync(file, bytes)
  closeSync(file)
  return bytes.toString()
}

let rest = ''
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  process.stdout.write(lines.map((line) => (line === '' ? '' : answer(JSON.parse(line)))).join(''))
})
