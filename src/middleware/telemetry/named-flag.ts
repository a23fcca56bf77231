import { BUDGET_NAMES, flagOf, isObject, type Result } from '../../kernel/index.ts'

/**
 * The flag that an answer names as the one that would have allowed it. No more than that is taken out of a text
 * that may be anybody's, and a flag is one of ours.
 */
export function namedFlag(text: string): string | undefined {
  for (const [, flag = ''] of text.matchAll(/\((--[a-z-]{1,64})\)/g)) if (ours().has(flag)) return flag
  return undefined
}

/** The same of what a tool says that has failed. */
export function flagNamedIn({ content }: Result): string | undefined {
  const [first] = Array.isArray(content) ? content : []
  return isObject(first) && typeof first['text'] === 'string' ? namedFlag(first['text']) : undefined
}

/** Made when the first refusal is told. */
let known: ReadonlySet<string> | undefined

function ours(): ReadonlySet<string> {
  known ??= new Set([...BUDGET_NAMES.map((name) => `--${flagOf(name)}`), '--timeout', '--rate-limit'])
  return known
}
