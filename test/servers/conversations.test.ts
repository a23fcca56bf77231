import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LineProcess } from '../setup/process.ts'
import { parseTranscript } from '../transcripts/parse.ts'
import { play } from '../transcripts/play.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const MODULE = join(import.meta.dirname, '..', 'transcripts', 'bb-mcp-server', 'module.mjs')

/** How each is started for the conversation in its section of docs/SERVERS.md. */
const COMMANDS: { readonly [server: string]: readonly [command: string, ...args: string[]] } = {
  bossman: ['bossman', '--store', 'memory:'],
  moonphase: ['moonphase', '--stdio', '--almanac'],
  'bb-mcp-server': ['bb-mcp-server', '--module', MODULE],
  primer: ['primer', '--slow'],
  workbench: ['perigee', 'serve', 'workbench', '--stdio'],
}

const sections = readFileSync(join(ROOT, 'docs', 'SERVERS.md'), 'utf8').split(/^## /m)

describe.each(Object.entries(COMMANDS))('the conversation of %s', (server, [command, ...args]) => {
  const section = sections.find((text) => text.startsWith(`${server}\n`)) ?? ''
  const transcript = parseTranscript(/^```transcript\n([\s\S]*?)^```$/m.exec(section)?.[1] ?? '')

  it.each(transcript.revisions)('goes as it is printed, in %s', async (revision) => {
    const child = new LineProcess(join(ROOT, 'dist', 'cli', 'bin', `${command}.js`), { args })
    try {
      await play(transcript, revision, {
        heard: child.lines,
        names: {},
        say: (line) => child.write(`${line}\n`),
        finish: async () => expect(await child.end()).toBe(0),
        close: () => child.kill(),
      })
    } finally {
      await child.kill()
    }
  })
})
