import { createClient, many } from '../kit/http.mjs'

const read = ({ message }) => message?.result

/** A caller that creates tasks as long as they may be, again and again; then all are deleted. */
export default {
  name: 'a task list in memory',
  server: { args: ['serve', 'workbench', '--port', '0'] },
  async attack({ url }, { short }) {
    const client = createClient(url)
    const refusals = new Set()
    const ids = []
    await many(short ? 15_000 : 40_000, 32, async (one) => {
      const description = `${one} ${'x'.repeat(9990)}`.slice(0, 10_000)
      const result = read(await client.tool('create_task', { description }))
      if (result?.isError === true) refusals.add(result.content[0].text)
      else if (result !== undefined) ids.push(result.structuredContent.id)
    })
    await client.tool('list_tasks', { text: 'nowhere' })
    await many(ids.length, 16, (one) => client.tool('delete_task', { id: ids[one] }))
    client.close()
    return { refusals: [...refusals] }
  },
}
