import { createClient, dial, many, printRequest, sleep } from '../kit/http.mjs'
import { callTool } from '../kit/large-file.mjs'

/** Calls of an hour whose callers leave at once: whoever stays must not wait for them. */
export default {
  name: 'callers who left',
  server: { args: ['serve', '--port', '0'] },
  refused: false,
  async attack({ url, port }, { short }) {
    const client = createClient(url)
    const sessions = await many(20, 8, () => client.openSession())
    await many(short ? 1200 : 4000, 16, async (one) => {
      const socket = await dial(port)
      const session = sessions[one % sessions.length]
      socket.write(
        printRequest(callTool(one + 100, 'countdown', { seconds: 3600 }), {
          host: `127.0.0.1:${port}`,
          ...session.headers,
        }),
      )
      await sleep(20)
      socket.destroy()
    })
    await sleep(1000)
    const opened = await client.openSession()
    if (opened.refused !== undefined) return { failed: [`whoever came next heard ${opened.refused.text}`] }
    const called = await opened.tool('add', { a: 1, b: 2 })
    for (const session of [...sessions, opened]) await session.end()
    client.close()
    return { failed: called.status === 200 ? [] : [`whoever stayed heard ${called.text}`] }
  },
}
