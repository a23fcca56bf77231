/** What a value can be. */
const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] as const

export type TypeName = (typeof TYPES)[number]

/** Whether it is the name of a type, or a list of such names. */
export function isType(type: unknown): boolean {
  if (!Array.isArray(type)) return isTypeName(type)
  return type.length > 0 && type.length <= TYPES.length && type.every(isTypeName)
}

function isTypeName(name: unknown): boolean {
  return TYPES.some((one) => one === name)
}

export function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

/** The drafts that we know, as a `$schema` names them. */
export const DRAFTS = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  '07': 'http://json-schema.org/draft-07/schema',
}

export function isDraft(uri: unknown): boolean {
  return uri === DRAFTS['2020-12'] || uri === DRAFTS['07']
}
