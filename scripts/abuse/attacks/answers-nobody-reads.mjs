import { dial, many, printRequest, sleep } from '../kit/http.mjs'
import { callTool, createLargeFile } from '../kit/large-file.mjs'

const { folder, name } = createLargeFile()
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const HEADERS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'read_file' }

/** Many requests in one go on connections that are never read, and one large one on each of many connections. */
export default {
  name: 'answers nobody reads',
  server: { args: ['serve', '--port', '0', '--root', folder, '--max-unsent', '2000000'] },
  refused: false, // What the system's own buffers have taken is not ours to count, so it may all fit.
  settleMs: 45_000, // A connection that nobody reads is cut off after 30 s.
  async attack({ port }, { short }) {
    const message = callTool(1, 'read_file', { path: name })
    const request = printRequest(
      { ...message, params: { ...message.params, _meta: META } },
      { host: `127.0.0.1:${port}`, ...HEADERS },
    )
    const refusals = new Set()
    for (let wave = 0; wave < (short ? 1 : 3); wave++) {
      const pipelined = await many(4, 4, () => dial(port))
      for (const socket of pipelined) socket.pause().write(request.repeat(100))
      const single = await many(short ? 150 : 300, 16, () => dial(port))
      for (const socket of single) {
        socket.on('data', (chunk) => {
          const [, said] = /^HTTP\/1.1 503 [\s\S]*"message":"([^"]*)"/.exec(chunk.toString()) ?? []
          if (said === undefined) socket.pause()
          else refusals.add(said)
        })
        socket.write(request)
      }
      await sleep(short ? 2500 : 5000)
      for (const socket of [...pipelined, ...single]) socket.destroy()
    }
    return { refusals: [...refusals] }
  },
}
