/** A pattern for names, such as `get_*` or `!delete_*`. */
export interface Glob {
  readonly pattern: string
  /** Whether it names what is not wanted. */
  readonly isAgainst: boolean
  matches(name: string): boolean
}

/** `*` stands for any letters, `?` for one; everything else for itself. */
export function toGlob(pattern: string): Glob {
  const isAgainst = pattern.startsWith('!')
  const parts = (isAgainst ? pattern.slice(1) : pattern).split('*')
  return { pattern, isAgainst, matches: (name) => fits(name, parts) }
}

/** Each part where it is found first, so that no pattern takes longer than the name is long for each of its parts. */
function fits(name: string, parts: readonly string[]): boolean {
  const [first = '', ...others] = parts
  if (others.length === 0) return name.length === first.length && stands(first, name, 0)
  const last = others.pop() ?? ''
  if (name.length < first.length + last.length || !stands(first, name, 0)) return false
  const end = name.length - last.length
  let at = first.length
  for (const part of others) {
    while (at + part.length <= end && !stands(part, name, at)) at++
    if (at + part.length > end) return false
    at += part.length
  }
  return stands(last, name, end)
}

function stands(part: string, name: string, at: number): boolean {
  for (let index = 0; index < part.length; index++)
    if (part[index] !== '?' && part[index] !== name[at + index]) return false
  return true
}
