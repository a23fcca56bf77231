// A server of a few lines that looks at nothing: what others wait beside one that is kept as busy, whoever has written it.
import { createServer } from 'node:http'

const server = createServer((request, response) => {
  const pieces = []
  request.on('data', (piece) => pieces.push(piece))
  request.on('end', () => {
    const { id, params } = JSON.parse(Buffer.concat(pieces).toString())
    const text = params.name === 'large' ? 'x'.repeat(1_000_000) : '3'
    const body = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => console.log(`listening at http://127.0.0.1:${server.address().port}/mcp`))
