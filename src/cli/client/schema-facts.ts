import { isObject, type JsonObject } from '../../kernel/index.ts'

/** What can be said of a value by looking at its schema, without checking anything. */
export interface SchemaFacts {
  /** The types that it may have; none where anything will do. */
  readonly types: ReadonlySet<string>
  /** The values that it may have, if they are listed, and how each is called. */
  readonly choices: readonly Choice[]
  /** What the entries of a list are like. */
  readonly items: unknown
}

export interface Choice {
  readonly value: unknown
  readonly title: string
}

/** How far references and combinations are followed. */
const MAX_DEPTH = 8

/** The facts of a part of a schema; `root` is the whole, to which references point. */
export function factsOf(part: unknown, root: unknown, depth = 0): SchemaFacts {
  if (!isObject(part) || depth > MAX_DEPTH) return NONE
  const { $ref, type, enum: listed, const: only, items } = part
  const inside = [
    ...(typeof $ref === 'string' ? [factsOf(follow($ref, root), root, depth + 1)] : []),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((word) =>
      Array.isArray(part[word]) ? part[word].map((one) => factsOf(one, root, depth + 1)) : [],
    ),
  ]
  const values = Array.isArray(listed) ? listed : 'const' in part ? [only] : []
  const types = [type].flat().filter((one) => typeof one === 'string')
  const own = values.map((value, at) => ({ value, title: titleOf(part, value, at) }))
  return {
    types: new Set([
      ...types,
      ...own.map(({ value }) => typeOf(value)),
      ...inside.flatMap((one) => [...one.types]),
    ]),
    choices: [...own, ...inside.flatMap(({ choices }) => choices)],
    items: items ?? inside.find((one) => one.items !== undefined)?.items,
  }
}

const NONE: SchemaFacts = { types: new Set(), choices: [], items: undefined }

function titleOf({ title, enumNames }: JsonObject, value: unknown, at: number): string {
  const named: unknown = Array.isArray(enumNames) ? enumNames[at] : title
  return typeof named === 'string' ? named : String(value)
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function follow(reference: string, root: unknown): unknown {
  const parts = reference.startsWith('#/') ? reference.slice(2).split('/') : []
  const names = parts.map((part) => decode(part).replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce<unknown>(
    (found, name) => (isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined),
    names.length === 0 ? undefined : root,
  )
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // Then it stands for itself.
  }
}

/** A schema in a word or two. */
export function printType(part: unknown, root: unknown): string {
  const { types, choices, items } = factsOf(part, root)
  if (choices.length > 0 && choices.length <= 12)
    return choices.map(({ value }) => JSON.stringify(value)).join(' | ')
  if (types.has('array') && items !== undefined && types.size === 1) return `${printType(items, root)}[]`
  return [...types].join(' | ') || 'anything'
}
