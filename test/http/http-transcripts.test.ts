import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'vitest'
import { createEverything } from '../everything/everything.ts'
import { parseTranscript } from '../transcripts/parse.ts'
import { play } from '../transcripts/play.ts'
import { openHttp, type Shape, shapesOf } from './transcript-ends.ts'

/** What a transcript takes for granted and a shape does not have. */
const NOT_OVER: { readonly [file: string]: { readonly [shape in Shape]?: string } } = {
  'lifecycle/before-initialize.txt': { streamable: 'there is no session before a handshake' },
  'lifecycle/handshake-again.txt': { streamable: 'a further handshake opens a session of its own' },
  'lifecycle/two-eras.txt': { streamable: 'there is no session before a handshake' },
  'messages/batch-before-initialize.txt': { streamable: 'there is no session before a handshake' },
  'lifecycle/introduction.txt': { 'post-only': 'a request that says nothing is malformed by its header' },
  'messages/malformed.txt': { 'post-only': 'an answer is refused, because it has a reply of its own' },
  'messages/unreadable-at-first.txt': { streamable: 'an id that cannot be read is null at all times' },
  'watching/cancel.txt': { 'post-only': 'a closed connection and a further request have no common order' },
  'watching/lists-changed.txt': { streamable: 'two streams have no common order' },
  'watching/listen.txt': { 'post-only': 'two streams have no common order' },
  'watching/not-before-initialized.txt': { streamable: 'two streams have no common order' },
  'watching/subscribe.txt': { streamable: 'two streams have no common order' },
}

const FOLDER = join(import.meta.dirname, '..', 'transcripts')

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.txt'))
  .sort()

const plays = files.flatMap((file) => {
  const transcript = parseTranscript(readFileSync(join(FOLDER, file), 'utf8'))
  return transcript.revisions.flatMap((revision) =>
    shapesOf(revision)
      .filter((shape) => transcript.server === 'sample' && NOT_OVER[file]?.[shape] === undefined)
      .map((shape) => ({ transcript, title: transcript.title, revision, shape })),
  )
})

it.each(plays)('$title ($revision, $shape)', async ({ transcript, revision, shape }) => {
  const end = await openHttp(createEverything(), shape, revision)
  try {
    await play(transcript, revision, end)
  } finally {
    await end.close()
  }
})
