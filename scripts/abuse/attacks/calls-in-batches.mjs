import { createClient, dial, many, printRequest, sleep } from '../kit/http.mjs'
import { callTool } from '../kit/large-file.mjs'

const GREEDY = { authorization: 'Bearer k1' }

/**
 * Hundreds of calls of an hour in each body. The caller has a key: one who has none and stays connected may take every
 * place there is, since nobody can tell it from the others.
 */
export default {
  name: 'calls in batches',
  server: {
    args: ['serve', '--port', '0', '--key', 'greedy=k1,other=k2'],
    caller: { authorization: 'Bearer k2' },
  },
  async attack({ url, port }, { short }) {
    const client = createClient(url, { headers: GREEDY })
    const sessions = await many(10, 4, () => client.openSession({ version: '2025-03-26' }))
    const refusals = new Set()
    await many(short ? 20 : 60, 8, async (one) => {
      const calls = Array.from({ length: one % 2 === 0 ? 1000 : 200 }, (_, id) =>
        callTool(2000 * (one + 1) + id, 'countdown', { seconds: 3600 }),
      )
      const socket = await dial(port)
      socket.on('data', (chunk) => {
        const [, said] = /"message":"([^"]*)"/.exec(chunk.toString()) ?? []
        if (said !== undefined) refusals.add(said)
      })
      const { headers } = sessions[one % sessions.length]
      socket.write(printRequest(calls, { host: `127.0.0.1:${port}`, ...GREEDY, ...headers }))
      await sleep(300)
      socket.destroy()
    })
    for (const session of sessions) await session.end()
    client.close()
    return { refusals: [...refusals] }
  },
}
