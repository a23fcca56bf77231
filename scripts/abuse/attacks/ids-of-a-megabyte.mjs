import { createClient, many } from '../kit/http.mjs'
import { refusalsOf } from '../kit/refusals.mjs'

/** The id of a request is kept until it is answered, and was counted nowhere: calls that wait, and streams that stay. */
export default {
  name: 'ids of a megabyte',
  server: { args: ['serve', '--port', '0', '--log-level', 'off'] },
  async attack({ url }, { short }) {
    const client = createClient(url)
    const session = await client.openSession()
    const text = 'x'.repeat(1_000_000)
    const answers = await many(short ? 300 : 900, 16, (one) =>
      client.send(
        {
          jsonrpc: '2.0',
          id: `${one}${text}`,
          method: 'tools/call',
          params: { name: 'countdown', arguments: { from: 60 } },
        },
        session.headers,
      ),
    )
    await session.end()
    client.close()
    return { refusals: refusalsOf(answers) }
  },
}
