// The least that reading a file and saying so takes: open, fstat, read, close, one write for what came together. It looks
// at nothing, and would read any file there is.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const print = (id, result) => `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`

function answer({ id, method, params }) {
  if (id === undefined) return ''
  if (method === 'initialize')
    return print(id, {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'bare', version: '1.0.0' },
    })
  const file = openSync(params.arguments.path, 'r')
  const bytes = Buffer.allocUnsafe(fstatSync(file).size)
  readSync(file, bytes)
  closeSync(file)
  return print(id, { content: [{ type: 'text', text: bytes.toString() }] })
}

let rest = ''
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  process.stdout.write(lines.map((line) => (line === '' ? '' : answer(JSON.parse(line)))).join(''))
})
