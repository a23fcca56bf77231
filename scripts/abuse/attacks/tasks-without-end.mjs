import { join } from 'node:path'
import { createClient, many } from '../kit/http.mjs'
import { refusalsOf } from '../kit/refusals.mjs'

/** Calls as tasks: large results that stay, and work that never ends. */
export default {
  name: 'tasks without end',
  server: { script: join(import.meta.dirname, '..', 'kit', 'fixture.mjs') },
  async attack({ url }, { short }) {
    const client = createClient(url)
    const _meta = {
      'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
    }
    const call = (name) => client.call('tools/call', { name, arguments: {}, task: {}, _meta })
    const large = await many(short ? 400 : 2000, 16, () => call('large'))
    const endless = await many(short ? 1500 : 9600, 64, () => call('endless'))
    const ids = [...large, ...endless].flatMap(
      (one) => one?.message?.result?.taskId ?? one?.message?.result?.task?.taskId ?? [],
    )
    await many(ids.length, 16, (one) => client.call('tasks/cancel', { taskId: ids[one], _meta }))
    client.close()
    return { refusals: refusalsOf([...large, ...endless]) }
  },
}
