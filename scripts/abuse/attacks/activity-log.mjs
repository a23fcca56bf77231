import { createClient, many } from '../kit/http.mjs'

/** primer keeps what was asked of it, and anybody may ask anything. */
export default {
  name: 'an activity log of long lines',
  server: { args: ['serve', 'primer', '--http', '--port', '0'] },
  warmUp: async ({ url }) => {
    const client = createClient(url)
    await many(200, 4, () => client.call('tools/list'))
    client.close()
  },
  refused: false,
  async attack({ url }, { short }) {
    const client = createClient(url)
    const session = await client.openSession()
    await many(short ? 60 : 300, 4, (one) =>
      session.call(`method ${one} ${'x'.repeat(900_000)}\nforged`).catch(() => undefined),
    )
    await session.end()
    client.close()
  },
}
