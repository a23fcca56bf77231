import { join } from 'node:path'
import { createClient, many } from '../kit/http.mjs'
import { refusalsOf } from '../kit/refusals.mjs'

/** URIs that have a pattern try every way of taking them apart. */
export default {
  name: 'URIs against templates',
  server: { script: join(import.meta.dirname, '..', 'kit', 'fixture.mjs') },
  async attack({ url }, { short }) {
    const client = createClient(url)
    const uris = [',', 'a,', '/', '%2C', 'a=b&', 'ab'].flatMap((piece) =>
      ['x://', 'y://', 'z://a?'].flatMap((start) => [34, 2000].map((count) => start + piece.repeat(count))),
    )
    const answers = await many(uris.length * (short ? 1 : 5), 4, (one) =>
      client.call('resources/read', { uri: uris[one % uris.length] }),
    )
    client.close()
    return { refusals: refusalsOf(answers) }
  },
}
