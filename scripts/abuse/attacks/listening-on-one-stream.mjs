import { get } from 'node:http'
import { createClient, many } from '../kit/http.mjs'

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** On a stream of 2024-11-05 a client may listen any number of times, and each once counted by the letters of its filter. */
export default {
  name: 'listening on one stream',
  server: { args: ['serve', '--port', '0', '--log-level', 'off'] },
  async attack({ url }, { short }) {
    const refusals = new Set()
    const hear = (message) => refusals.add(message)
    const pairs = await many(8, 8, () => openPair(url, hear))
    await many(short ? 8000 : 80_000, 32, (one) => {
      const params = { notifications: { toolsListChanged: true }, _meta: META }
      const { client } = pairs[one % pairs.length]
      return client.send({ jsonrpc: '2.0', id: one, method: 'subscriptions/listen', params })
    })
    for (const { client, leave } of pairs) {
      client.close()
      leave()
    }
    return { refusals: [...refusals] }
  },
}

/** A stream, and a client that posts to its address; what is refused on it is told. */
function openPair(url, refused) {
  return new Promise((resolve, reject) => {
    const request = get(new URL('/sse', url), { headers: { accept: 'text/event-stream' } }, (stream) => {
      stream.setEncoding('utf8')
      stream.on('error', () => {}) // It is left open until the end.
      stream.on('data', (text) => {
        const [, place] = /event: endpoint\ndata: (\S+)/.exec(text) ?? []
        if (place !== undefined)
          resolve({ client: createClient(new URL(place, url)), leave: () => request.destroy() })
        for (const [, said] of text.matchAll(/"message":"([^"]*), got/g)) refused(said)
      })
    })
    request.on('error', reject)
  })
}
