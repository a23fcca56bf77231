/** Says what came, short enough for an error message: `the string "abc"`, `the number 5`, `an array`. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'string') return `the string ${JSON.stringify(shorten(value))}`
  return `the ${typeof value} ${String(value)}`
}

function shorten(text: string, length = 60): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}
