import { isObject } from '../../kernel/index.ts'
import { UsageError } from '../usage-error.ts'
import { factsOf, printType, type SchemaFacts } from './schema-facts.ts'

/** Where a value stands in a schema. */
export interface ValuePlace {
  readonly name: string
  readonly schema: unknown
  /** The whole that references point into. */
  readonly root: unknown
}

/** A typed text as the value that its schema asks for. What the schema does not tell stays text. */
export function readValue(text: string, { name, schema, root }: ValuePlace): unknown {
  const facts = factsOf(schema, root)
  const { types, choices, items } = facts
  const chosen = choices.find(({ value }) => String(value) === text)
  if (chosen !== undefined) return chosen.value
  for (const read of READERS) {
    const value = read(text, facts)
    if (value !== undefined) return checkExact(value, name, text)
  }
  if (types.has('array') && !types.has('string')) return [readValue(text, { name, schema: items, root })]
  if (types.size === 0 || types.has('string')) return text
  throw new UsageError(
    `${name}: expected ${printType(schema, root)}, got ${JSON.stringify(text)}. JSON is given as ${name}:=…`,
  )
}

type ReadText = (text: string, facts: SchemaFacts) => unknown

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** In the order in which they are tried; undefined is no answer. */
const READERS: readonly ReadText[] = [
  (text, { types }) =>
    (types.has('number') || types.has('integer')) && NUMBER.test(text) ? Number(text) : undefined,
  (text, { types }) => (types.has('boolean') ? BOOLEANS[text] : undefined),
  (text, { types }) => (types.has('null') && !types.has('string') && text === 'null' ? null : undefined),
  (text, { types }) => {
    if (!(types.has('object') && /^\s*\{/.test(text)) && !(types.has('array') && /^\s*\[/.test(text)))
      return undefined
    return types.has('string') ? parseIfJson(text) : parseJson(text)
  },
]

const BOOLEANS: { readonly [text: string]: boolean } = { true: true, false: false }

/** A number that JavaScript would change on the way is not what was typed. */
function checkExact(value: unknown, name: string, text: string): unknown {
  if (typeof value !== 'number' || !/^-?\d+$/.test(text) || Number.isSafeInteger(value)) return value
  throw new UsageError(`${name}: ${text} is too large to be sent exactly`)
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(
      `expected JSON, got ${JSON.stringify(text.slice(0, 200))}: ${(error as Error).message}`,
    )
  }
}

function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // It was meant as text.
  }
}

/** The schema of one member of an object. */
export function memberOf(schema: unknown, name: string): unknown {
  const properties = isObject(schema) ? schema['properties'] : undefined
  return isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
}
