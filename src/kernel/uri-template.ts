/** RFC 6570 read backwards: which values of a template's variables give this URI. */
export interface UriTemplate {
  readonly variables: readonly string[]
  match(uri: string): Record<string, string> | undefined
}

/** Neighbouring variables make matching quadratic in the length. */
const MAX_URI = 8192

interface Operator {
  readonly prefix: string
  readonly separator: string
  readonly named: boolean
  /** What a single value may consist of. */
  readonly value: string
}

const ENCODED = '[A-Za-z0-9\\-._~%]'
const RESERVED = "[A-Za-z0-9\\-._~%:/?#\\[\\]@!$&'()*+,;=]"

const OPERATORS: Record<string, Operator> = {
  '': { prefix: '', separator: ',', named: false, value: ENCODED },
  '+': { prefix: '', separator: ',', named: false, value: RESERVED },
  '#': { prefix: '#', separator: ',', named: false, value: RESERVED },
  '.': { prefix: '.', separator: '.', named: false, value: '[A-Za-z0-9\\-_~%]' },
  '/': { prefix: '/', separator: '/', named: false, value: ENCODED },
  ';': { prefix: ';', separator: ';', named: true, value: ENCODED },
  '?': { prefix: '?', separator: '&', named: true, value: ENCODED },
  '&': { prefix: '&', separator: '&', named: true, value: ENCODED },
}

const EXPRESSION = /\{([+#./;?&]?)([A-Za-z0-9_.,:*%]+)\}/g

/** Throws a TypeError when the template is none. */
export function parseUriTemplate(template: string): UriTemplate {
  const variables: string[] = []
  let pattern = ''
  let end = 0
  for (const found of template.matchAll(EXPRESSION)) {
    pattern += literal(template.slice(end, found.index))
    const operator = OPERATORS[found[1] ?? ''] as Operator // The expression allows only the keys of the table.
    const names = (found[2] ?? '').split(',')
    pattern += expression(operator, names, variables)
    end = found.index + found[0].length
  }
  const rest = template.slice(end)
  if (/[{}]/.test(rest) || /[{}]/.test(template.replace(EXPRESSION, ''))) {
    throw new TypeError(`Not a URI template (RFC 6570): ${template}`)
  }
  const whole = new RegExp(`^${pattern}${literal(rest)}$`)
  return {
    variables,
    match: (uri) => (uri.length > MAX_URI ? undefined : read(whole.exec(uri), variables)),
  }
}

/** The pattern of one expression; an absent optional variable leaves nothing behind, as in expansion. */
function expression(operator: Operator, specs: readonly string[], variables: string[]): string {
  const parts = specs.map((spec, index) => {
    const [, name = '', length] = /^(.*?)(?:\*|:(\d+))?$/.exec(spec) ?? []
    if (name === '') throw new TypeError(`A variable without a name in a URI template: ${spec}`)
    variables.push(name)
    const times = length === undefined ? '*' : `{0,${length}}`
    const value = `(${spec.endsWith('*') ? exploded(operator) : `${operator.value}${times}`})`
    const lead = literal(index === 0 ? operator.prefix : operator.separator)
    if (operator.named) return `(?:${lead}${literal(name)}(?:=${value})?)?`
    return operator.prefix === '' && index === 0 ? value : `(?:${lead}${value})?`
  })
  return parts.join('')
}

/** An exploded variable keeps its separators: `{/path*}` reads `/a/b` as `a/b`. */
function exploded(operator: Operator): string {
  return `(?:${operator.value}|${literal(operator.separator)})*`
}

function read(
  match: RegExpExecArray | null,
  variables: readonly string[],
): Record<string, string> | undefined {
  if (match === null) return undefined
  const values: Record<string, string> = Object.create(null)
  for (const [index, name] of variables.entries()) {
    const value = match[index + 1]
    if (value === undefined) continue
    const decoded = decode(value)
    if (decoded === undefined) return undefined
    values[name] = decoded
  }
  return values
}

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined // A stray percent sign makes the URI no expansion of the template.
  }
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
