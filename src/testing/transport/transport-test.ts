import type { Revision } from '../../kernel/index.ts'
import type { TransportFeature } from './end.ts'
import type { Speaker } from './speaker.ts'

/** One thing that is asked of a transport. */
export interface TransportTest {
  readonly name: string
  readonly needs?: TransportFeature
  /** Whether the revision has it at all. */
  readonly applies?: (revision: Revision) => boolean
  run(conversation: Conversing): Promise<void>
}

interface Conversing {
  readonly speaker: Speaker
  /** The texts that came out, as they did. */
  readonly texts: readonly string[]
  /** How often the server ended something without a word. */
  ends(): number
}
