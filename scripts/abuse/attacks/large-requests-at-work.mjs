import { dial, many, printRequest, sleep } from '../kit/http.mjs'

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const JUNK = 'x'.repeat(900_000)

/** Calls that work or listen for long, each made with all that a body may hold. */
export default {
  name: 'large requests at work',
  server: { args: ['serve', '--port', '0'] },
  async attack({ port }, { short }) {
    const refusals = new Set()
    const print = (method, params) =>
      printRequest(
        { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...META, junk: JUNK } } },
        {
          host: `127.0.0.1:${port}`,
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
          ...(params.name !== undefined && { 'mcp-name': params.name }),
        },
      )
    const countdown = { name: 'countdown', arguments: { seconds: 60 } }
    const listening = { notifications: { toolsListChanged: true } }
    const requests = [print('tools/call', countdown), print('subscriptions/listen', listening)]
    const sockets = await many(short ? 400 : 1200, 8, async (one) => {
      const socket = await dial(port)
      socket.on('data', (chunk) => {
        const [, said] = /^HTTP\/1.1 429 [\s\S]*"message":"([^"]*), got/.exec(chunk.toString()) ?? []
        if (said !== undefined) refusals.add(said)
      })
      socket.write(requests[one % requests.length])
      await sleep(10)
      return socket
    })
    await sleep(2000)
    for (const socket of sockets) socket?.destroy()
    return { refusals: [...refusals] }
  },
}
