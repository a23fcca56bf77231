import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, many } from '../kit/http.mjs'

const folder = mkdtempSync(join(tmpdir(), 'perigee-abuse-'))
process.on('exit', () => rmSync(folder, { recursive: true }))

/** Each begins like a secret, again and again. */
const TEXTS = [':', ':aaa', '://a', 'cookie:', 'token:\\'].map((part) =>
  part.repeat(Math.floor(900_000 / JSON.stringify(part).length)),
)

/** What is written down is looked through for secrets, which once took a second for a megabyte of colons. */
export default {
  name: 'texts to be masked',
  server: { args: ['serve', '--port', '0', '--record', join(folder, 'said.jsonl')] },
  refused: false,
  async attack({ url }, { short }) {
    const client = createClient(url)
    const answers = await many(short ? 10 : 40, 2, (round) =>
      client.tool('echo', { message: TEXTS[round % TEXTS.length] }),
    )
    client.close()
    const lost = answers.filter((answer) => answer?.message?.result === undefined)
    return { failed: lost.length === 0 ? [] : [`${lost.length} calls were not answered`] }
  },
}
