/** Whether a path, with slashes and from where one looks, is one of those that a pattern means. */
export type PathMatcher = (path: string) => boolean

/** So many patterns may come of `{a,b}`. */
const MOST_PATTERNS = 64

/**
 * `*` is any part of a name, `?` one letter, `[a-z]` one of several, `**` any folders, `{a,b}` one or the other; after a backslash each is itself.
 * A pattern without a slash is for names, in whatever folder; one that ends in a slash is for all that is in a folder. Nothing takes longer than the path's length times the pattern's.
 */
export function compileGlob(pattern: string): PathMatcher {
  const whole = pattern.endsWith('/') ? `${pattern}**` : pattern
  const matchers = expandBraces(whole).map((one) => compileOne(one.includes('/') ? one : `**/${one}`))
  return (path) => matchers.some((matches) => matches(path))
}

/** The same for a pattern that begins at one folder and has no braces, as in a `.gitignore`. */
export function compileOne(pattern: string): PathMatcher {
  const parts = pattern
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .map((part) => (part === '**' ? ANY : compileName(part)))
  return (path) => fits(parts, path.split('/'))
}

const ANY = 'any'
type PathPart = typeof ANY | ((name: string) => boolean)

/** The last `**` takes one folder more whenever what comes after it does not fit. */
function fits(parts: readonly PathPart[], names: readonly string[]): boolean {
  return matchRow(parts, names, (part, name) => part !== ANY && part(name))
}

/** A row of parts against a row of things, where `any` stands for any number of them. */
function matchRow<One extends PathPart | NamePart, Thing>(
  parts: readonly One[],
  things: readonly Thing[],
  is: (part: One, thing: Thing) => boolean,
): boolean {
  let [part, at, star, from] = [0, 0, -1, 0]
  while (at < things.length) {
    const now = parts[part]
    if (now === ANY) [star, from, part] = [part, at, part + 1]
    else if (now !== undefined && is(now, things[at] as Thing)) [part, at] = [part + 1, at + 1]
    else if (star < 0) return false
    else [part, at, from] = [star + 1, from + 1, from + 1]
  }
  while (parts[part] === ANY) part++
  return part === parts.length
}

type NamePart = typeof ANY | { readonly is: (letter: string) => boolean }

function compileName(pattern: string): (name: string) => boolean {
  if (!/[*?[\\]/.test(pattern)) return (name) => name === pattern
  const ending = /^\*([^*?[\\]+)$/.exec(pattern)?.[1]
  if (ending !== undefined) return (name) => name.endsWith(ending)
  const parts = readParts(Array.from(pattern))
  return (name) => matchRow(parts, Array.from(name), (part, letter) => part !== ANY && part.is(letter))
}

function readParts(letters: readonly string[]): readonly NamePart[] {
  const parts: NamePart[] = []
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] as string // It is inside.
    const end = letter === '[' ? letters.indexOf(']', at + 2) : -1
    if (letter === '*') parts.push(ANY)
    else if (letter === '?') parts.push({ is: () => true })
    else if (end > 0) {
      parts.push({ is: oneOf(letters.slice(at + 1, end)) })
      at = end
    } else {
      if (letter === '\\' && at + 1 < letters.length) at++
      const wanted = letters[at]
      parts.push({ is: (one) => one === wanted })
    }
  }
  return parts
}

function oneOf(letters: readonly string[]): (letter: string) => boolean {
  const isAgainst = letters[0] === '!' || letters[0] === '^'
  const ranges: [string, string][] = []
  for (let at = isAgainst ? 1 : 0; at < letters.length; at++) {
    const first = letters[at] as string // It is inside.
    const last = letters[at + 1] === '-' ? letters[at + 2] : undefined
    ranges.push([first, last ?? first])
    if (last !== undefined) at += 2
  }
  return (letter) => ranges.some(([first, last]) => first <= letter && letter <= last) !== isAgainst
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
  }
}
