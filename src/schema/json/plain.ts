import { isObject } from '../../kernel/index.ts'
import { keysOf } from './keys.ts'
import { isDraft, isScalar, isType } from './names.ts'
import { findUnsayable, type ValueAllowance } from './sayable.ts'

/** What is larger is looked at by those who know how large is too large. */
const MAX_PARTS = 256
const MAX_DEPTH = 16
const MAX_NOTES = 1000

/**
 * How many parts a schema has in which nothing can be wrong, as most schemas of tools are: its keywords are everyday
 * ones with values of the right kind, and nothing refers to anything. Undefined for any other.
 */
export function countPlain(schema: unknown): number | undefined {
  const look: PlainLook = { parts: 0, depth: 0, notes: { left: MAX_NOTES } }
  return isPlain(schema, look) ? look.parts : undefined
}

/** Where one is, and what has been seen so far. */
interface PlainLook {
  parts: number
  depth: number
  readonly notes: ValueAllowance
}

type PlainValue = (value: unknown, look: PlainLook) => boolean

function isPlain(schema: unknown, look: PlainLook): boolean {
  if (typeof schema === 'boolean') return look.depth > 0 && counts(1, look)
  if (!isObject(schema) || look.depth > MAX_DEPTH || !counts(1, look)) return false
  look.depth += 1
  for (const keyword of keysOf(schema)) {
    if (KEYWORDS.get(keyword)?.(schema[keyword], look) !== true) return false
  }
  look.depth -= 1
  return true
}

function counts(parts: number, look: PlainLook): boolean {
  look.parts += parts
  return look.parts <= MAX_PARTS
}

const isSayable: PlainValue = (value, { notes }) =>
  findUnsayable(value, notes) === undefined && notes.left >= 0
const isLimit: PlainValue = (value) => Number.isFinite(value)
const isLength: PlainValue = (value) => Number.isInteger(value) && Number(value) >= 0

function areSchemas(value: unknown, look: PlainLook): boolean {
  if (!isObject(value)) return false
  for (const name of keysOf(value)) if (!isPlain(value[name], look)) return false
  return true
}

const areScalars = (values: readonly unknown[], look: PlainLook) =>
  values.every(isScalar) && isSayable(values, look)

const isName = (name: unknown) => typeof name === 'string'

const KEYWORDS: ReadonlyMap<string, PlainValue> = new Map<string, PlainValue>([
  ['type', isType],
  ['properties', areSchemas],
  [
    'required',
    (value, look) => Array.isArray(value) && counts(1 + value.length, look) && value.every(isName),
  ],
  ['additionalProperties', isPlain],
  ['items', isPlain],
  [
    'enum',
    (value, look) => Array.isArray(value) && counts(1 + value.length, look) && areScalars(value, look),
  ],
  ['const', (value, look) => counts(1, look) && areScalars([value], look)],
  ['minimum', isLimit],
  ['maximum', isLimit],
  ['exclusiveMinimum', isLimit],
  ['exclusiveMaximum', isLimit],
  ['minLength', isLength],
  ['maxLength', isLength],
  ['minItems', isLength],
  ['maxItems', isLength],
  ['format', (value) => typeof value === 'string'],
  ['$schema', (value, look) => look.depth === 1 && isDraft(value)],
  ['title', isSayable],
  ['description', isSayable],
  ['default', isSayable],
  ['examples', isSayable],
])
