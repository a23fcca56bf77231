/**
 * Says what came, short enough for an error message: `the string "abc"`, `the number 5`, `an array`.
 * @example throw new TypeError(`expected a number, got ${describe('abc')}`)
 */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'string') return `the string ${JSON.stringify(cut(value, 60))}`
  return `the ${typeof value} ${String(value)}`
}

/**
 * What comes from others must not begin a new line, speak to a terminal, turn the text round, or hide in it.
 * @example tame('two\nlines') // two\u{a}lines
 */
export function tame(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`,
  )
}

/** A value itself, or what it is where that would repeat too much. */
export function repeat(value: unknown): unknown {
  const { length } = JSON.stringify(value) ?? ''
  return length > 1000 ? `${describe(value)}, ${length} characters of JSON` : value
}

/**
 * What a peer sent as messages and their data repeat it: whoever sent it has the rest.
 * @example cut('a long text', 6)
 */
export function cut(text: string, length = 1000): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}
