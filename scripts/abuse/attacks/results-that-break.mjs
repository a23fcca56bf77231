import { join } from 'node:path'
import { createClient, many } from '../kit/http.mjs'
import { refusalsOf } from '../kit/refusals.mjs'

/** A result that throws when it is looked at must be answered all the same, and free its place. */
export default {
  name: 'results that break when read',
  server: { script: join(import.meta.dirname, '..', 'kit', 'fixture.mjs') },
  async attack({ url }, { short }) {
    const client = createClient(url)
    const answers = await many(short ? 300 : 2000, 16, () => client.tool('breaks_when_read'))
    client.close()
    const silent = answers.filter((one) => one === undefined).length
    return { refusals: refusalsOf(answers), failed: silent > 0 ? [`${silent} calls were not answered`] : [] }
  },
}
