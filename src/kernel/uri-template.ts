/** RFC 6570 read backwards: which values of a template's variables give this URI. */
export interface UriTemplate {
  readonly variables: readonly string[]
  match(uri: string): Record<string, string> | undefined
}

const MAX_URI = 8192

/** How many ways of sharing a URI out among the variables are worth trying. */
const MAX_WAYS = 5_000_000

interface Operator {
  readonly prefix: string
  readonly separator: string
  readonly named: boolean
  /** What a single value may consist of. */
  readonly value: string
}

/** Some clients leave more as it is than they should, so a value ends only at what separates values. */
const ENCODED = '[^:/?#\\[\\]@$&+,;=]'
const RESERVED = '[^]'

const OPERATORS: Record<string, Operator> = {
  '': { prefix: '', separator: ',', named: false, value: ENCODED },
  '+': { prefix: '', separator: ',', named: false, value: RESERVED },
  '#': { prefix: '#', separator: ',', named: false, value: RESERVED },
  '.': { prefix: '.', separator: '.', named: false, value: '[^.:/?#\\[\\]@$&+,;=]' },
  '/': { prefix: '/', separator: '/', named: false, value: ENCODED },
  ';': { prefix: ';', separator: ';', named: true, value: ENCODED },
  '?': { prefix: '?', separator: '&', named: true, value: ENCODED },
  '&': { prefix: '&', separator: '&', named: true, value: ENCODED },
}

const EXPRESSION = /\{([+#./;?&]?)([A-Za-z0-9_.,:*%]+)\}/g

/** Throws a TypeError when the template is none. */
export function parseUriTemplate(template: string): UriTemplate {
  const groups: string[] = []
  let pattern = ''
  let end = 0
  let openEnds = 0
  for (const found of template.matchAll(EXPRESSION)) {
    pattern += literal(template.slice(end, found.index))
    const operator = OPERATORS[found[1] ?? ''] as Operator // The expression allows only the keys of the table.
    const specs = (found[2] ?? '').split(',')
    const variables = specs.map((spec) => readVariable(spec, specs.length === 1 ? operator : apart(operator)))
    pattern += operator.named
      ? namedList(operator, variables, groups)
      : plainList(operator, variables, groups)
    end = found.index + found[0].length
    if (isOpenEnded(operator, template.slice(end))) openEnds++
  }
  const rest = template.slice(end)
  if (/[{}]/.test(rest) || /[{}]/.test(template.replace(EXPRESSION, ''))) {
    throw new TypeError(`Not a URI template (RFC 6570): ${template}`)
  }
  const whole = new RegExp(`^${pattern}${literal(rest)}$`)
  const longest = openEnds < 2 ? MAX_URI : Math.floor(MAX_WAYS ** (1 / (openEnds + 1)))
  return {
    variables: [...new Set(groups)],
    match: (uri) => (uri.length > longest ? undefined : read(whole.exec(uri), groups)),
  }
}

interface Variable {
  readonly name: string
  /** A pattern with one group: the value. */
  readonly value: string
}

/** A value that may hold what follows it can end in many places; several of those make matching very slow. */
function isOpenEnded(operator: Operator, rest: string): boolean {
  if (rest === '') return false
  const [, sign] = /^\{([+#./;?&]?)/.exec(rest) ?? []
  const next = sign === undefined ? rest.charAt(0) : (OPERATORS[sign]?.prefix ?? '')
  return next === '' || new RegExp(operator.value).test(next)
}

/** In a list even a value that may hold anything ends at the separator. */
function apart(operator: Operator): Operator {
  return operator.value === RESERVED ? { ...operator, value: '[^,]' } : operator
}

function readVariable(spec: string, operator: Operator): Variable {
  const [, name = '', length] = /^(.*?)(?:\*|:(\d+))?$/.exec(spec) ?? []
  if (name === '') throw new TypeError(`A variable without a name in a URI template: ${spec}`)
  const times = length === undefined ? '*' : `{0,${length}}`
  return { name, value: `(${spec.endsWith('*') ? exploded(operator) : `${operator.value}${times}`})` }
}

/** Values in order, of which the last ones may be absent. */
function plainList(operator: Operator, variables: readonly Variable[], groups: string[]): string {
  const parts = variables.map(({ name, value }, index) => {
    groups.push(name)
    const lead = literal(index === 0 ? operator.prefix : operator.separator)
    return lead === '' ? value : `(?:${lead}${value})?`
  })
  return parts.join('')
}

/** Any of the variables may be absent, and the first that is there carries the prefix: `?q=…&page=…`, `?page=…`. */
function namedList(operator: Operator, variables: readonly Variable[], groups: string[]): string {
  const choices = variables.map((_, first) => {
    const parts = variables.slice(first).map(({ name, value }, index) => {
      groups.push(name)
      const item = `${literal(name)}(?:=${value})?`
      return index === 0 ? literal(operator.prefix) + item : `(?:${literal(operator.separator)}${item})?`
    })
    return parts.join('')
  })
  return `(?:${choices.join('|')})?`
}

/** An exploded variable keeps its separators: `{/path*}` reads `/a/b` as `a/b`. */
function exploded(operator: Operator): string {
  return `(?:${operator.value}|${literal(operator.separator)})*`
}

function read(match: RegExpExecArray | null, groups: readonly string[]): Record<string, string> | undefined {
  if (match === null) return undefined
  const values: Record<string, string> = Object.create(null)
  for (const [index, name] of groups.entries()) {
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
