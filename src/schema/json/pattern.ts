import { Overrun } from './effort.ts'

/** Beyond this length no text is held against a pattern. */
const MAX_TEXT = 65_536

/** A regular expression as JSON Schema has them: not anchored, by characters and not by halves of them. */
export function compilePattern(source: string, wrong: () => never): (text: string) => boolean {
  const expression = read(source) ?? wrong()
  return (text) => {
    if (text.length > MAX_TEXT) throw new Overrun(`at most ${MAX_TEXT} characters to match a pattern`)
    return expression.test(text)
  }
}

/** Many patterns escape what needs no escape; those are read the older way. */
function read(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags)
    } catch {}
  }
  return undefined
}
