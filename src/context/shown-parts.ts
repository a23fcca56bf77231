import type { ContentBlock } from '../kernel/index.ts'

/** Which part of a result that has both text and data a host shows its model, and which of one that failed. */
export interface ShownParts {
  readonly given: 'text' | 'data'
  readonly failed: 'text' | 'data'
  /** Whether data is shown and nothing that stands beside it, such as a picture. */
  readonly alone?: true
  /** Blocks of content that it shows in no way. */
  readonly lost?: readonly ContentBlock['type'][]
}

/** What was seen of hosts, by `npm run bench -- --only seen`, and reported of them. */
export const SHOWN = {
  'claude-code': { given: 'data', failed: 'text' }, // anthropics/claude-code#79944, anthropics/claude-code#86032
  codex: { given: 'data', failed: 'data', alone: true },
  opencode: { given: 'text', failed: 'text', lost: ['resource_link', 'audio'] }, // anomalyco/opencode#38923
} as const satisfies { readonly [host: string]: ShownParts }
