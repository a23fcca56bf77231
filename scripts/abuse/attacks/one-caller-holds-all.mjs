import { createClient, many } from '../kit/http.mjs'
import { refusalsOf } from '../kit/refusals.mjs'

const GREEDY = { authorization: 'Bearer k1' }
const OTHER = { authorization: 'Bearer k2' }

/** One caller with a key subscribes in hundreds of sessions to all that each of them may hold; the other one opens one. */
export default {
  name: 'one caller holds all',
  server: { args: ['serve', '--port', '0', '--key', 'greedy=k1,other=k2'], caller: OTHER },
  async attack({ url }, { short }) {
    const client = createClient(url, { headers: GREEDY })
    const subscribe = (id) => ({
      jsonrpc: '2.0',
      id,
      method: 'resources/subscribe',
      params: { uri: `task://${'x'.repeat(1200)}${id}` },
    })
    const calls = Array.from({ length: 200 }, (_, id) => subscribe(id))
    const sessions = await many(short ? 100 : 300, 8, () => client.openSession({ version: '2025-03-26' }))
    const opened = sessions.filter((one) => one?.headers !== undefined)
    // Two at once would have more calls under way than one caller may.
    const said = await many(opened.length, 1, (one) => client.send(calls, opened[one].headers))
    const refusals = said.flatMap(({ text }) => /"message":"([^"]*), got/.exec(text)?.[1] ?? [])
    const other = createClient(url, { headers: OTHER })
    const { refused } = await other.openSession()
    for (const one of opened) await one.end()
    client.close()
    other.close()
    return {
      refusals: [...new Set(refusals)],
      failed: refusalsOf([refused]).map((why) => `the other caller was refused: ${why}`),
    }
  },
}
