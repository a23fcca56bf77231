import { createClient, many } from '../kit/http.mjs'
import { refusalsOf } from '../kit/refusals.mjs'

/** Every word was once looked for in every task. */
export default {
  name: 'completion of many words',
  server: { args: ['serve', '--port', '0', '--tasks', 'memory:'] },
  async attack({ url }, { short }) {
    const client = createClient(url)
    const text = (seed) => `${seed} ${'lorem ipsum dolor '.repeat(500)}`
    await many(20, 4, (one) => client.tool('create_task', { title: `task ${one}`, description: text(one) }))
    const words = Array.from({ length: 20_000 }, (_, one) => `w${one % 97}`).join(' ')
    const answers = await many(short ? 5 : 20, 5, () =>
      client.call('completion/complete', {
        ref: { type: 'ref/resource', uri: 'task://{id}' },
        argument: { name: 'id', value: words },
      }),
    )
    const listed = await many(20, 5, () => client.tool('list_tasks', { text: 'lorem '.repeat(10_000) }))
    client.close()
    return { refusals: refusalsOf([...answers, ...listed]) }
  },
}
