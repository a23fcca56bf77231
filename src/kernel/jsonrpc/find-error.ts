const PUNCTUATION = '{}[],:'
const TOKEN =
  /[{}[\],:]|"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\uffff]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const SPACE = /[\t\n\r ]*/y

/** What may stand where: a value, the end of what was opened, a key, a colon, or what comes between values. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end'

/** Where a text that is no JSON stops being JSON; parsers do not always say. */
export function findError(text: string): number {
  const open: string[] = []
  let expected: Expected = 'value'
  for (let at = skip(text, 0); at < text.length; at = skip(text, at)) {
    const token = read(text, at)
    const next: Expected | undefined = token === undefined ? undefined : step(token, expected, open)
    if (token === undefined || next === undefined) return at
    expected = next
    at += token.length
  }
  return text.length
}

function skip(text: string, at: number): number {
  SPACE.lastIndex = at
  return at + (SPACE.exec(text)?.[0].length ?? 0)
}

function read(text: string, at: number): string | undefined {
  TOKEN.lastIndex = at
  return TOKEN.exec(text)?.[0]
}

/** What may follow a token; undefined where it may not stand. */
function step(token: string, expected: Expected, open: string[]): Expected | undefined {
  if (!PUNCTUATION.includes(token)) return stepScalar(token, expected)
  if (token === ':') return expected === ':' ? 'value' : undefined
  if (token === ',') return stepComma(expected, open)
  if (token === '{' || token === '[') {
    if (expected !== 'value' && expected !== 'value or ]') return undefined
    open.push(token)
    return token === '{' ? 'key or }' : 'value or ]'
  }
  return stepEnd(token, expected, open)
}

function stepScalar(token: string, expected: Expected): Expected | undefined {
  if (expected === 'value' || expected === 'value or ]') return ', or end'
  const key = token.startsWith('"') && (expected === 'key' || expected === 'key or }')
  return key ? ':' : undefined
}

function stepComma(expected: Expected, open: readonly string[]): Expected | undefined {
  if (expected !== ', or end' || open.length === 0) return undefined
  return open.at(-1) === '{' ? 'key' : 'value'
}

function stepEnd(token: string, expected: Expected, open: string[]): Expected | undefined {
  const [begin, empty] = token === '}' ? ['{', 'key or }'] : ['[', 'value or ]']
  if (open.at(-1) !== begin || (expected !== ', or end' && expected !== empty)) return undefined
  open.pop()
  return ', or end'
}
