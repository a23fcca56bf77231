import { createClient, dial, many, printRequest, sleep } from '../kit/http.mjs'
import { callTool } from '../kit/large-file.mjs'
import { refusalsOf } from '../kit/refusals.mjs'

const GREEDY = { authorization: 'Bearer k1' }

/** One caller with a key takes all the places it can get, and stays; the other one must not notice. */
export default {
  name: 'one caller for all',
  server: {
    args: ['serve', '--port', '0', '--key', 'greedy=k1,other=k2'],
    caller: { authorization: 'Bearer k2' },
  },
  async attack({ url, port }, { short }) {
    const client = createClient(url, { headers: GREEDY })
    const sessions = await many(short ? 2600 : 11_000, 16, () => client.openSession())
    const opened = sessions.filter((one) => one?.headers !== undefined)
    const used = await many(opened.length, 16, (one) => opened[one].call('ping'))
    const sockets = await many(1100, 16, async (one) => {
      const socket = await dial(port)
      const headers = { host: `127.0.0.1:${port}`, ...GREEDY, ...opened.at(-1 - (one % 100)).headers }
      socket.write(printRequest(callTool(one + 100, 'countdown', { seconds: 3600 }), headers))
      return socket
    })
    await sleep(short ? 1000 : 3000)
    const calls = await many(5, 1, () => client.tool('add', { a: 1, b: 2 }))
    const again = await many(5, 1, () => client.openSession())
    for (const socket of sockets) socket?.destroy()
    await many(opened.length, 16, (one) => opened[one].end())
    client.close()
    return { refusals: refusalsOf([...used, ...calls, ...again.map((one) => one?.opened)]) }
  },
}
