import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, many } from '../kit/http.mjs'

const folder = mkdtempSync(join(tmpdir(), 'perigee-abuse-'))
process.on('exit', () => rmSync(folder, { recursive: true }))
const keys = Array.from({ length: 100_000 }, (_, one) => `key${one}: 1`).join('\n')
mkdirSync(join(folder, 'wide'))
writeFileSync(
  join(folder, 'wide', 'SKILL.md'),
  `---\nname: wide\ndescription: too wide\n${keys}\n---\nWide.\n`,
)
mkdirSync(join(folder, 'good'))
writeFileSync(join(folder, 'good', 'SKILL.md'), '---\nname: good\ndescription: good\n---\nGood.\n')

/** A skill whose head is a megabyte of YAML. */
export default {
  name: 'front matter of a megabyte',
  server: { args: ['serve', '--port', '0', '--skills', folder] },
  refused: false,
  async attack({ url }) {
    const client = createClient(url)
    const lists = await many(10, 2, () => client.call('resources/list'))
    client.close()
    const found = lists.every((one) => one?.text.includes('skill://good'))
    return { failed: found ? [] : ['the good skill is not listed'] }
  },
}
