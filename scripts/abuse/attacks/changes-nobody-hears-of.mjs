import { createClient, many } from '../kit/http.mjs'

/** Every change was once kept for, and written on behalf of, every idle session. */
export default {
  name: 'changes nobody hears of',
  server: { args: ['serve', '--port', '0'] },
  refused: false,
  settleMs: 40_000,
  async attack({ url }, { short }) {
    const client = createClient(url)
    const sessions = await many(short ? 2000 : 9900, 16, () => client.openSession())
    await many(short ? 60 : 130, 2, async (one) => {
      const name = `passing_${one}`
      await client.tool('register_tool', { name, description: 'passing', template: 'Hello' })
      await client.tool('unregister_tool', { name })
    })
    await many(sessions.length, 16, (one) => sessions[one].end())
    client.close()
  },
}
