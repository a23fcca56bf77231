import type { Annotations, Icon } from '../definitions/content.ts'
import type { CacheHint } from '../definitions/implementation.ts'
import { listOf, type Members, membersOf, number, oneOf, text, texts } from './members.ts'

/** Checks of what several definitions have in common. */

export const icons = listOf(
  membersOf(
    { src: text, mimeType: text, sizes: texts, theme: oneOf('light', 'dark') } satisfies Members<Icon>,
    { needed: ['src'] },
  ),
)

export const annotations = membersOf({
  audience: listOf(oneOf('user', 'assistant')),
  priority: number,
  lastModified: text,
} satisfies Members<Annotations>)

export const cacheHint = membersOf(
  { ttlMs: number, cacheScope: oneOf('public', 'private') } satisfies Members<CacheHint>,
  { needed: ['ttlMs', 'cacheScope'] },
)
