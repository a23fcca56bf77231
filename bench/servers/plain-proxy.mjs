// What a proxy costs that looks at nothing: node:http on both sides, connections kept.
import { Agent, createServer, request } from 'node:http'

const { hostname, port, host } = new URL(process.argv[2])
const agent = new Agent({ keepAlive: true })

createServer((incoming, answer) => {
  const { method, url: path } = incoming
  const headers = { ...incoming.headers, host }
  const sent = request({ hostname, port, method, path, headers, agent }, (response) => {
    answer.writeHead(response.statusCode, response.headers)
    response.pipe(answer)
  })
  sent.on('error', () => answer.destroy())
  incoming.pipe(sent)
}).listen(Number(process.env.PORT), '127.0.0.1')
