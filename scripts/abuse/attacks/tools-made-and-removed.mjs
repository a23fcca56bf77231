import { createClient, many } from '../kit/http.mjs'

/** A schema that is compiled must be forgotten with its tool. */
export default {
  name: 'tools made and removed',
  server: { args: ['serve', '--port', '0'] },
  refused: false,
  async attack({ url }, { short }) {
    const client = createClient(url)
    await many(short ? 400 : 2000, 4, async (one) => {
      const name = `passing_${one}`
      await client.tool('register_tool', { name, description: 'passing', template: `${one} {a} {b} {c}` })
      await client.tool(name, { a: '1', b: '2', c: '3' })
      await client.tool('unregister_tool', { name })
    })
    client.close()
  },
}
