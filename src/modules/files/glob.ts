import type { Effort } from './effort.ts'
import { ANY, compileName, compileRow, Name } from './name-pattern.ts'

/** Whether a path, from where one looks, is one of those that a pattern means. */
export type PathMatcher = (path: readonly Name[], effort: Effort) => boolean

/** So many patterns may come of `{a,b}`. */
const MOST_PATTERNS = 64

/** So many letters they may have together: each may be held against every letter of a path before others have a turn. */
const MOST_LETTERS = 1000

/** The names of a path with slashes. */
export function namesOf(path: string): readonly Name[] {
  return path.split('/').map((text) => new Name(text))
}

/**
 * `*` is any part of a name, `?` one letter, `[a-z]` one of several, `**` any folders, `{a,b}` one or the other; after a backslash each is itself.
 * A pattern without a slash is for names, in whatever folder; one that ends in a slash is for all that is in a folder. Nothing takes longer than the path's length times the pattern's.
 */
export function compileGlob(pattern: string): PathMatcher {
  const whole = pattern.endsWith('/') ? `${pattern}**` : pattern
  const matchers = expandBraces(whole).map((one) => compileOne(one.includes('/') ? one : `**/${one}`))
  return (path, effort) => matchers.some((matches) => matches(path, effort))
}

/** The same for a pattern that begins at one folder and has no braces, as in a `.gitignore`. */
export function compileOne(pattern: string): PathMatcher {
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.')
  return compileRow(parts.map((part) => (part === '**' ? ANY : compileName(part))))
}

function expandBraces(pattern: string): readonly string[] {
  let patterns: readonly string[] = [pattern]
  for (;;) {
    const open = patterns.map((one) => /^(.*?)(?<!\\)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(one))
    if (open.every((found) => found === null)) return patterns
    patterns = patterns.flatMap((one, index) => {
      const [, before = '', list, after = ''] = open[index] ?? []
      return list === undefined ? [one] : list.split(',').map((choice) => before + choice + after)
    })
    if (patterns.length > MOST_PATTERNS)
      throw new Error(`name: expected at most ${MOST_PATTERNS} patterns in braces, got ${patterns.length}`)
    const letters = patterns.reduce((sum, one) => sum + one.length, 0)
    if (letters > MOST_LETTERS)
      throw new Error(
        `name: expected at most ${MOST_LETTERS} characters in all the patterns that its braces stand for, got ${letters}. Make it shorter, or search for each of them by itself`,
      )
  }
}
