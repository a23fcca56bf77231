import { Mistake } from '../words/mistake.ts'
import { MAX_STEPS, type Pattern, type Run, search, type UriMatch, type Values } from './uri-match.ts'

/** RFC 6570 read backwards: which values of a template's variables give this URI. */
export interface UriTemplate {
  readonly variables: readonly string[]
  match(uri: string): Record<string, string> | undefined
  /** The same before it is decoded, with what it took. */
  search(uri: string): UriMatch
}

const MAX_URI = 8192

interface Operator {
  readonly prefix: string
  readonly separator: string
  readonly named: boolean
  /** The characters at which a value ends. */
  readonly stops: string
}

/** Some clients leave more as it is than they should, so a value ends only at what separates values. */
const SEPARATORS = ':/?#[]@$&+,;='

const OPERATORS: Record<string, Operator> = {
  '': { prefix: '', separator: ',', named: false, stops: SEPARATORS },
  '+': { prefix: '', separator: ',', named: false, stops: '' },
  '#': { prefix: '#', separator: ',', named: false, stops: '' },
  '.': { prefix: '.', separator: '.', named: false, stops: `.${SEPARATORS}` },
  '/': { prefix: '/', separator: '/', named: false, stops: SEPARATORS },
  ';': { prefix: ';', separator: ';', named: true, stops: SEPARATORS },
  '?': { prefix: '?', separator: '&', named: true, stops: SEPARATORS },
  '&': { prefix: '&', separator: '&', named: true, stops: SEPARATORS },
}

const EXPRESSION = /\{([+#./;?&]?)([A-Za-z0-9_.,:*%]+)\}/g

/** Throws a TypeError when the template is none. */
export function parseUriTemplate(template: string): UriTemplate {
  const parts = readParts(template)
  const made = new Patterns()
  const whole = parts.reduceRight<Pattern>((next, part) => made.part(part, next), made.end())
  const longest = Math.min(MAX_URI, Math.floor(MAX_STEPS / made.size) - 1)
  const find = (uri: string): UriMatch =>
    uri.length > longest ? { values: undefined, steps: 0 } : search(whole, made.size, uri)
  return {
    variables: [...new Set(parts.flatMap((part) => (typeof part === 'string' ? [] : namesOf(part))))],
    match: (uri) => decodeAll(find(uri).values),
    search: find,
  }
}

interface Expression {
  readonly operator: Operator
  readonly variables: readonly Variable[]
}

type Variable = Pick<Run, 'name' | 'stops' | 'most'>

/** Literals and expressions, in their order. */
function readParts(template: string): readonly (string | Expression)[] {
  const parts: (string | Expression)[] = []
  let end = 0
  for (const found of template.matchAll(EXPRESSION)) {
    parts.push(template.slice(end, found.index), readExpression(found[1] ?? '', found[2] ?? ''))
    end = found.index + found[0].length
  }
  parts.push(template.slice(end))
  if (parts.some((part) => typeof part === 'string' && /[{}]/.test(part))) {
    throw new Mistake(`Not a URI template (RFC 6570): ${template}`)
  }
  return parts.filter((part) => part !== '')
}

function readExpression(sign: string, list: string): Expression {
  const operator = OPERATORS[sign] as Operator // The expression allows only the keys of the table.
  const specs = list.split(',')
  // In a list even a value that may hold anything ends at the separator.
  const stops = specs.length > 1 && operator.stops === '' ? operator.separator : operator.stops
  return { operator, variables: specs.map((spec) => readVariable(spec, stops, operator)) }
}

/** An exploded variable keeps its separators: `{/path*}` reads `/a/b` as `a/b`. */
function readVariable(spec: string, stops: string, { separator }: Operator): Variable {
  const [, name = '', exploded, length] = /^(.*?)(?:(\*)|:(\d+))?$/.exec(spec) ?? []
  if (name === '') throw new Mistake(`A variable without a name in a URI template: ${spec}`)
  return {
    name,
    stops: exploded === undefined ? stops : stops.replace(separator, ''),
    most: length === undefined ? Number.POSITIVE_INFINITY : Number(length),
  }
}

function namesOf({ variables }: Expression): readonly string[] {
  return variables.map(({ name }) => name)
}

/** Makes patterns and numbers them. */
class Patterns {
  size = 0

  part(part: string | Expression, next: Pattern): Pattern {
    if (typeof part === 'string') return this.#text(part, next)
    return part.operator.named ? this.#namedList(part, next) : this.#plainList(part, next)
  }

  end(): Pattern {
    return { kind: 'end', number: this.size++ }
  }

  /** Values in order, any of which may be absent together with what leads it. */
  #plainList({ operator, variables }: Expression, next: Pattern): Pattern {
    return variables.reduceRight((rest, variable, index) => {
      const lead = index === 0 ? operator.prefix : operator.separator
      const value = this.#run(variable, rest)
      return lead === '' ? value : this.#either(this.#text(lead, value), rest)
    }, next)
  }

  /** Any of the variables may be absent, and the first that is there carries the prefix: `?q=…&page=…`, `?page=…`. */
  #namedList({ operator, variables }: Expression, next: Pattern): Pattern {
    let begun = next
    let notYet = next
    for (const variable of variables.toReversed()) {
      const rest = begun
      const item = (lead: string) => this.#text(lead + variable.name, this.#assigned(variable, rest))
      notYet = this.#either(item(operator.prefix), notYet)
      begun = this.#either(item(operator.separator), rest)
    }
    return notYet
  }

  #assigned(variable: Variable, next: Pattern): Pattern {
    return this.#either(this.#text('=', this.#run(variable, next)), next)
  }

  #text(text: string, next: Pattern): Pattern {
    return { kind: 'text', number: this.size++, text, next }
  }

  #run(variable: Variable, next: Pattern): Pattern {
    return { kind: 'run', number: this.size++, ...variable, next }
  }

  #either(first: Pattern, second: Pattern): Pattern {
    return { kind: 'either', number: this.size++, first, second }
  }
}

/** Of a variable that occurs twice the later value counts. */
function decodeAll(found: UriMatch['values']): Record<string, string> | undefined {
  if (found === undefined) return undefined
  const values: Record<string, string> = Object.create(null)
  for (const { name, text } of inOrder(found)) {
    const decoded = decode(text)
    if (decoded === undefined) return undefined
    values[name] = decoded
  }
  return values
}

function inOrder(found: Values | 'none'): readonly Values[] {
  const values: Values[] = []
  for (let one = found === 'none' ? undefined : found; one !== undefined; one = one.before) values.push(one)
  return values.reverse()
}

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined // A stray percent sign makes the URI no expansion of the template.
  }
}
