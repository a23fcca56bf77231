import { createClient, many } from '../kit/http.mjs'
import { refusalsOf } from '../kit/refusals.mjs'

/** Tools made of 160,000 placeholders, and tools whose descriptions fill the heap. */
export default {
  name: 'templates of any size',
  server: { args: ['serve', '--port', '0'] },
  async attack({ url }, { short }) {
    const client = createClient(url)
    const register = (name, description, template) =>
      client.tool('register_tool', { name, description, template })
    const placeholders = Array.from({ length: 160_000 }, (_, one) => `{p${one}}`)
      .join('')
      .slice(0, 900_000)
    const wide = await register('wide', 'wide', placeholders)
    const calls = await many(3, 1, () => client.tool('wide'))
    const long = await many(short ? 60 : 620, 4, (one) => register(`long_${one}`, 'd'.repeat(900_000), '{a}'))
    const small = await many(short ? 300 : 3000, 8, (one) =>
      register(`small_${one}`, 'd'.repeat(900), '{a}'.repeat(200)),
    )
    const list = await client.call('tools/list')
    const failed =
      list.status === 200 && list.message?.result ? [] : [`tools/list fails: ${list.text.slice(0, 200)}`]
    const made = [...long, ...small].filter((one) => one?.message?.result?.isError !== true).length
    await many(made + 10, 8, (one) => client.tool('unregister_tool', { name: `small_${one}` }))
    client.close()
    return { refusals: refusalsOf([wide, ...calls, ...long, ...small]), failed }
  },
}
