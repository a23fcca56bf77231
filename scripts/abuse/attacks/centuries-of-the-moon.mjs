import { createClient, sleep } from '../kit/http.mjs'

const CENTURY = { from: '1950-01-01', to: '2049-01-01' }

/** Calls that take a tenth of a second of work each, as many at once as a caller may have, who leaves before they are done. */
export default {
  name: 'centuries of the Moon',
  server: { args: ['serve', '--port', '0'] },
  refused: false,
  async attack({ url }, { short }) {
    const client = createClient(url, { sockets: 240 })
    const calls = Array.from({ length: 240 }, () => client.tool('moon_events', CENTURY).catch(() => {}))
    await Promise.race([Promise.all(calls), sleep(short ? 2000 : 4000)])
    client.close()
  },
}
