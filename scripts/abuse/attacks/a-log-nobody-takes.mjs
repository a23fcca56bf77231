import { openSync } from 'node:fs'
import { createClient, many } from '../kit/http.mjs'
import { startVictim } from '../kit/victim.mjs'

const ARGS = ['serve', '--port', '0', '--log-level', 'debug']

/** A log on a full disk, one whose reader has left, and one that nobody reads. */
export default {
  name: 'a log nobody takes',
  server: { args: ARGS, stderr: 'pipe' },
  refused: false,
  async attack(unread, { short }) {
    const closed = await startVictim({ args: ARGS, stderr: 'pipe' })
    closed.child.stderr.destroy()
    const full = await startVictim({ args: ARGS, stderr: openSync('/dev/full', 'w') })
    const failed = []
    for (const [name, victim] of Object.entries({ closed, full, unread })) {
      const client = createClient(victim.url)
      const answers = await many(short ? 60 : 300, 8, () =>
        client.tool('read_file', { path: 'x'.repeat(900_000) }),
      )
      client.close()
      if (answers.includes(undefined) || !victim.alive()) failed.push(`${name}: the server died of its log`)
    }
    await Promise.all([closed.stop(), full.stop()])
    return { failed }
  },
}
