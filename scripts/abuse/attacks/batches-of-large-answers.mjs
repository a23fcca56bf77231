import { createClient, many } from '../kit/http.mjs'
import { callTool, createLargeFile } from '../kit/large-file.mjs'

const { folder, name } = createLargeFile()
const GREEDY = { authorization: 'Bearer k1' }

/** Twenty-five kilobytes that ask for a quarter of a gigabyte; the caller has a key, so its share of calls is not all. */
export default {
  name: 'batches of large answers',
  server: {
    args: ['serve', '--port', '0', '--root', folder, '--key', 'greedy=k1,other=k2'],
    caller: { authorization: 'Bearer k2' },
  },
  async attack({ url }, { short }) {
    const client = createClient(url, { headers: GREEDY })
    const session = await client.openSession({ version: '2025-03-26' })
    const calls = Array.from({ length: 250 }, (_, id) => callTool(id, 'read_file', { path: name }))
    const refusals = new Set()
    await many(short ? 3 : 30, 1, async () => {
      const { text } = await client.send(calls, session.headers)
      for (const [, said] of text.matchAll(/"message":"([^"]*)"/g)) refusals.add(said)
    })
    await session.end()
    client.close()
    return { refusals: [...refusals] }
  },
}
