import { dial, many, printRequest, sleep } from '../kit/http.mjs'

const NEWEST = '2026-07-28'

/** A tool that does not look whether anybody still waits for it keeps what it was given, which once counted nowhere. */
export default {
  name: 'calls that go on',
  server: { script: new URL('../kit/fixture.mjs', import.meta.url).pathname },
  async attack({ port }, { short }) {
    const headers = {
      host: `127.0.0.1:${port}`,
      'mcp-protocol-version': NEWEST,
      'mcp-method': 'tools/call',
      'mcp-name': 'deaf',
    }
    const request = printRequest(callDeaf(), headers)
    const refusals = new Set()
    await many(short ? 300 : 1000, 8, async () => {
      const socket = await dial(port)
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
        const [, said] = /^HTTP\/1.1 429 [\s\S]*"message":"([^"]*), got/.exec(text) ?? []
        if (said !== undefined) refusals.add(said)
      })
      socket.write(request)
      await sleep(150)
      socket.destroy()
    })
    return { refusals: [...refusals] }
  },
}

function callDeaf() {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': NEWEST,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { name: 'deaf', arguments: { junk: 'x'.repeat(900_000) }, _meta }
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
}
