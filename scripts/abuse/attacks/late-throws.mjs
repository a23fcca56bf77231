import { join } from 'node:path'
import { createClient, many } from '../kit/http.mjs'

/** What a tool throws in a timer, or rejects without anybody looking. */
export default {
  name: 'late throws',
  server: { script: join(import.meta.dirname, '..', 'kit', 'fixture.mjs') },
  refused: false,
  async attack({ url }) {
    const client = createClient(url)
    await many(3, 1, () => client.tool('throws_later'))
    const { message } = await client.tool('add', { a: 1, b: 2 })
    client.close()
    return { failed: message?.result === undefined ? ['it does not answer any more'] : [] }
  },
}
