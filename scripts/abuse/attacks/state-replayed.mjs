import { join } from 'node:path'
import { createClient, many } from '../kit/http.mjs'

/** The same sealed state with the same answers, again and again. */
export default {
  name: 'a state replayed',
  server: { script: join(import.meta.dirname, '..', 'kit', 'fixture.mjs') },
  refused: false,
  async attack({ url }, { short }) {
    const client = createClient(url)
    const _meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } }
    const asked = await client.call('tools/call', { name: 'asks', arguments: {}, _meta })
    const { requestState } = asked.message.result
    const inputResponses = { who: { action: 'accept', content: { name: 'Ada' } } }
    const answers = await many(short ? 500 : 4000, 8, () =>
      client.call('tools/call', { name: 'asks', arguments: {}, requestState, inputResponses, _meta }),
    )
    client.close()
    const wrong = answers.find((one) => one?.message?.result?.content === undefined)
    return { failed: wrong === undefined ? [] : [`a good state was refused: ${wrong.text}`] }
  },
}
