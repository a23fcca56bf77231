import { createClient, many } from '../kit/http.mjs'
import { refusalsOf } from '../kit/refusals.mjs'

/** Large introductions, subscriptions without end, and filters of a hundred thousand ids. */
export default {
  name: 'what sessions keep',
  server: { args: ['serve', '--port', '0'] },
  async attack({ url }, { short }) {
    const client = createClient(url)
    const capabilities = { experimental: { filler: { text: 'x'.repeat(900_000) } } }
    const opened = await many(short ? 50 : 300, 8, () => client.openSession({ capabilities }))
    const session = await client.openSession()
    const uri = (one) => `config://server?${'x'.repeat(1000)}${one}`
    const subscribed = await many(short ? 3000 : 60_000, 32, (one) =>
      session.call('resources/subscribe', { uri: uri(one) }),
    )
    const token = await session.call('tools/call', {
      name: 'add',
      arguments: { a: 1, b: 2 },
      _meta: { progressToken: 'x'.repeat(900_000) },
    })
    const taskIds = Array.from({ length: 100_000 }, (_, one) => `t${one}`)
    const resourceSubscriptions = taskIds.map((id) => `task://${id}`).slice(0, 50_000)
    const listened = await many(3, 1, () =>
      client.call('subscriptions/listen', { notifications: { taskIds, resourceSubscriptions } }),
    )
    for (const one of opened) if (one?.end !== undefined) await one.end()
    await session.end()
    client.close()
    return { refusals: refusalsOf([...opened.map((one) => one?.opened), ...subscribed, ...listened, token]) }
  },
}
