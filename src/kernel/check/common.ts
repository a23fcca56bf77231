import type { Annotations, Icon } from '../definitions/content.ts'
import type { CacheHint } from '../definitions/implementation.ts'
import type { ResultBudget } from '../definitions/tool.ts'
import { expecting, listOf, type Members, membersOf, number, oneOf, text, texts } from './members.ts'

// Checks of what several definitions have in common.

/**
 * Expects icons as the protocol has them.
 * @example membersOf({ name: text, icons })
 */
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

/** What the words around a result alone would take up must fit. */
const LEAST_TOKENS = 200

export const resultBudget = membersOf(
  {
    tokens: expecting(
      `a whole number from ${LEAST_TOKENS} on`,
      (value) => Number.isInteger(value) && Number(value) >= LEAST_TOKENS,
    ),
  } satisfies Members<ResultBudget>,
  { needed: ['tokens'] },
)

export const cacheHint = membersOf(
  { ttlMs: number, cacheScope: oneOf('public', 'private') } satisfies Members<CacheHint>,
  { needed: ['ttlMs', 'cacheScope'] },
)
