import { createClient, dial, many, printRequest, sleep } from '../kit/http.mjs'
import { callTool } from '../kit/large-file.mjs'

/** A thousand calls of an hour in each body, whose callers leave as soon as they have been let in. */
export default {
  name: 'calls in batches',
  server: { args: ['serve', '--port', '0'] },
  async attack({ url, port }, { short }) {
    const client = createClient(url)
    const sessions = await many(10, 4, () => client.openSession({ version: '2025-03-26' }))
    const refusals = new Set()
    await many(short ? 20 : 60, 8, async (one) => {
      const from = 2000 * (one + 1)
      const calls = Array.from({ length: 1000 }, (_, id) =>
        callTool(from + id, 'countdown', { seconds: 3600 }),
      )
      const socket = await dial(port)
      socket.on('data', (chunk) => {
        const [, said] = /"message":"([^"]*)"/.exec(chunk.toString()) ?? []
        if (said !== undefined) refusals.add(said)
      })
      const batch = one % 2 === 0 ? calls : calls.slice(0, 400)
      socket.write(
        printRequest(batch, { host: `127.0.0.1:${port}`, ...sessions[one % sessions.length].headers }),
      )
      await sleep(300)
      socket.destroy()
    })
    for (const session of sessions) await session.end()
    client.close()
    return { refusals: [...refusals] }
  },
}
