import { join } from 'node:path'
import { createClient, many } from '../kit/http.mjs'
import { refusalsOf } from '../kit/refusals.mjs'

const _meta = {
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
}

/** Begins tasks, and calls all of them off again; gives the answers to their calls. */
async function begin(url, counts) {
  const client = createClient(url)
  const answers = []
  for (const [name, count] of Object.entries(counts)) {
    const call = () => client.call('tools/call', { name, arguments: {}, task: {}, _meta })
    answers.push(...(await many(count, 32, call)))
  }
  const ids = answers.flatMap((one) => one?.message?.result?.taskId ?? [])
  await many(ids.length, 16, (one) => client.call('tasks/cancel', { taskId: ids[one], _meta }))
  client.close()
  return answers
}

/** Calls as tasks: large results that stay, and work that never ends. */
export default {
  name: 'tasks without end',
  server: { script: join(import.meta.dirname, '..', 'kit', 'fixture.mjs') },
  warmUp: ({ url }) => begin(url, { large: 20, endless: 50 }),
  async attack({ url }, { short }) {
    const answers = await begin(url, short ? { large: 400, endless: 1500 } : { large: 2000, endless: 9600 })
    return { refusals: refusalsOf(answers) }
  },
}
