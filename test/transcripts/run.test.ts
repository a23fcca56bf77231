import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, it, vi } from 'vitest'
import { compile } from '../../scripts/compile.mjs'
import { openMemory, openStdio } from './ends.ts'
import { parseTranscript, type Transcript } from './parse.ts'
import { type End, play } from './play.ts'
import type { RevisionId } from './revisions.ts'

// Most of the time goes into starting processes, several of which can start at once.
vi.setConfig({ maxConcurrency: 8 })

let script = ''

beforeAll(async () => {
  script = await compile(join(import.meta.dirname, '..', 'everything', 'serve-everything.ts'))
})

afterAll(() => rmSync(dirname(script), { recursive: true }))

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.txt'))
  .sort()

describe.concurrent.each(files)('%s', (file) => {
  const transcript = read(file)
  for (const revision of transcript.revisions) {
    it(`${transcript.title} (${revision}, memory)`, async () =>
      playAndClose(transcript, revision, await openMemory(transcript.server)))

    it(`${transcript.title} (${revision}, stdio)`, () =>
      playAndClose(transcript, revision, openStdio(transcript.server, script)))
  }
})

async function playAndClose(transcript: Transcript, revision: RevisionId, end: End): Promise<void> {
  try {
    await play(transcript, revision, end)
  } finally {
    await end.close()
  }
}

function read(file: string): Transcript {
  try {
    return parseTranscript(readFileSync(join(import.meta.dirname, file), 'utf8'))
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`)
  }
}
