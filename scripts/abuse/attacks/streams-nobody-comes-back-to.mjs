import { createClient, dial, many, printRequest, sleep } from '../kit/http.mjs'
import { callTool, createLargeFile } from '../kit/large-file.mjs'
import { refusalsOf } from '../kit/refusals.mjs'

const { folder, name } = createLargeFile()

/** Megabytes that are kept for clients which left at once and will not come back. */
export default {
  name: 'streams nobody comes back to',
  server: { args: ['serve', '--port', '0', '--root', folder] },
  async attack({ url, port }, { short }) {
    const client = createClient(url)
    const sessions = await many(short ? 60 : 150, 8, () => client.openSession())
    await many(sessions.length, 8, async (one) => {
      const session = sessions[one]
      await session.call('logging/setLevel', { level: 'debug' })
      for (let id = 100; id < 117; id++) {
        const socket = await dial(port)
        socket.write(
          printRequest(callTool(id, 'read_file', { path: name }), {
            host: `127.0.0.1:${port}`,
            ...session.headers,
          }),
        )
        await sleep(10)
        socket.destroy()
      }
    })
    const back = await many(sessions.length, 8, (one) =>
      client.send(
        undefined,
        { ...sessions[one].headers, accept: 'text/event-stream', 'last-event-id': '1:0' },
        'GET',
      ),
    )
    for (const session of sessions) await session.end()
    client.close()
    return { refusals: refusalsOf(back) }
  },
}
