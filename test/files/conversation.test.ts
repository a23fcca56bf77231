import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LineProcess } from '../setup/process.ts'
import { parseTranscript } from '../transcripts/parse.ts'
import { play } from '../transcripts/play.ts'
import { createFolder } from './desk.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const CCMCP = join(ROOT, 'dist', 'cli', 'bin', 'ccmcp.js')
const GREET = ['export function greet(name) {', 'return `Hello, $' + '{name}`', '}', ''].join('\n')

const [, text = ''] = /^```transcript\n(# [\s\S]*?server: ccmcp[\s\S]*?)^```$/m.exec(
  readFileSync(join(ROOT, 'docs', 'SERVERS.md'), 'utf8'),
) ?? ['']

const transcript = parseTranscript(text)

it.each(transcript.revisions)(
  'the conversation of the guide goes as it is printed, in %s',
  async (revision) => {
    const root = createFolder({
      '.gitignore': 'node_modules\n',
      'README.md': '# Hello\n',
      'node_modules/x.js': 'Hello',
      'src/greet.js': GREET,
      'src/main.js': "import { greet } from './greet.js'\n",
    })
    const server = new LineProcess(CCMCP, { args: ['--full', '--root', root] })
    try {
      await play(transcript, revision, {
        heard: server.lines,
        names: { root },
        say: (line) => server.write(`${line}\n`),
        finish: async () => expect(await server.end()).toBe(0),
        close: () => server.kill(),
      })
    } finally {
      await server.kill()
    }
  },
)
