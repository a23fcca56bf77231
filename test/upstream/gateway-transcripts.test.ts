import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, vi } from 'vitest'
import { REVISIONS } from '../../src/kernel/index.ts'
import { createEverything } from '../everything/everything.ts'
import { parseTranscript } from '../transcripts/parse.ts'
import { play } from '../transcripts/play.ts'
import { differenceOf } from './differences.ts'
import { openGateway } from './gateway-end.ts'

// What a server says to its clients it says to them through a gateway, whichever revision the two speak with each other.
vi.setConfig({ maxConcurrency: 8 })

const FOLDER = join(import.meta.dirname, '..', 'transcripts')

const transcripts = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.txt'))
  .sort()
  .map((file) => ({ file, transcript: parseTranscript(readFileSync(join(FOLDER, file), 'utf8')) }))
  .filter(({ transcript }) => transcript.server === 'sample')

describe.concurrent.each(REVISIONS.map(({ id }) => id))('an upstream of %s', (spoken) => {
  for (const { file, transcript } of transcripts) {
    for (const revision of transcript.revisions) {
      if (differenceOf(file, revision, spoken) !== undefined) continue
      it(`${file} in ${revision}: ${transcript.title}`, async () => {
        const end = await openGateway({ server: createEverything(), revision: spoken })
        try {
          await play(transcript, revision, end)
        } finally {
          await end.close()
        }
      })
    }
  }
})
