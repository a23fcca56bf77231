import { once } from 'node:events'
import { createServer, request } from 'node:http'

/** Gives each request to the next node, whatever connection it came on: for clients that keep their connections. */
export async function startHttpBalancer(nodes) {
  let turn = 0
  const server = createServer((asked, answer) => {
    const { port } = nodes[turn++ % nodes.length]
    const { method, url: path, headers } = asked
    const handedOn = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      answer.writeHead(response.statusCode, response.headers)
      answer.flushHeaders()
      response.pipe(answer)
      response.on('error', () => answer.destroy())
    })
    handedOn.on('error', () => answer.destroy())
    answer.on('close', () => handedOn.destroy())
    asked.pipe(handedOn)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  return {
    port,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
