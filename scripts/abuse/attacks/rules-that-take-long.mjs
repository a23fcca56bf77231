import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, many } from '../kit/http.mjs'

const folder = mkdtempSync(join(tmpdir(), 'perigee-abuse-'))
process.on('exit', () => rmSync(folder, { recursive: true }))
mkdirSync(join(folder, 'wide'))
for (let one = 0; one < 1000; one++) writeFileSync(join(folder, 'wide', `f${one}${'a'.repeat(100)}`), 'x')

const RULES = `${'*a'.repeat(60)}b\n`.repeat(500)
const PATHS = {
  ref: { type: 'ref/resource', uri: 'file:///{+path}' },
  argument: { name: 'path', value: 'wide/f' },
}

/** Whoever may write may write a .gitignore, by which every name was once tried letter by letter, rule by rule. */
export default {
  name: 'rules that take long',
  server: { args: ['serve', '--port', '0', '--root', folder] },
  refused: false,
  async attack({ url }, { short }) {
    const client = createClient(url)
    await client.tool('write_file', { path: '.gitignore', content: RULES })
    const answers = await many(short ? 4 : 16, 4, async (round) => [
      await client.tool('directory_tree', { path: '.', depth: 10 }),
      await client.tool('search_files', { name: round % 2 === 0 ? '*.txt' : `${'*a'.repeat(60)}b` }),
      await client.call('completion/complete', PATHS),
    ])
    client.close()
    const lost = answers.flat().filter((answer) => answer?.message?.result === undefined)
    return { failed: lost.length === 0 ? [] : [`${lost.length} calls were not answered`] }
  },
}
