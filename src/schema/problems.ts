import type { ErrorObject } from 'ajv'
import { describe, isObject, type Problem } from '../kernel/index.ts'

/** ajv's errors in words: which argument, what was expected, what came. */
export function toProblems(errors: readonly ErrorObject[]): readonly Problem[] {
  return errors.flatMap((error) => {
    const path = toPath(error.instancePath)
    if (error.keyword === 'required') return missing(error, path)
    return [{ path, message: EXPECTED[error.keyword]?.(error) ?? otherwise(error) }]
  })
}

/** ajv stops at the first missing property; a caller would rather know of all. */
function missing(error: ErrorObject, path: string): readonly Problem[] {
  const required = (error.parentSchema?.['required'] ?? []) as readonly string[] // The keyword's own form.
  const given = isObject(error.data) ? error.data : {}
  return required
    .filter((name) => !Object.hasOwn(given, name))
    .map((name) => ({
      path: join(path, name),
      message: `expected ${wanted(error, name)}, got nothing (it is required)`,
    }))
}

function wanted(error: ErrorObject, name: string): string {
  const schema: unknown = error.parentSchema?.['properties']?.[name]
  return isObject(schema) && schema['type'] !== undefined ? article(schema['type']) : 'a value'
}

const EXPECTED: { readonly [keyword: string]: (error: ErrorObject) => string } = {
  type: (error) => `expected ${article(error.params['type'])}, got ${describe(error.data)}`,
  enum: (error) =>
    `expected one of ${JSON.stringify(error.params['allowedValues']).slice(1, -1)}, got ${describe(error.data)}`,
  const: (error) => `expected ${JSON.stringify(error.params['allowedValue'])}, got ${describe(error.data)}`,
  additionalProperties: (error) =>
    `unexpected ${JSON.stringify(error.params['additionalProperty'])}${known(error.parentSchema)}`,
}

function known(schema: ErrorObject['parentSchema']): string {
  const names = Object.keys(schema?.['properties'] ?? {})
  return names.length === 0 ? ', expected none' : `, expected only ${names.join(', ')}`
}

function otherwise(error: ErrorObject): string {
  const expectation = (error.message ?? `must fit ${error.keyword}`).replace(/^must /, 'expected to ')
  return `${expectation}, got ${describe(error.data)}`
}

function article(type: unknown): string {
  const types = Array.isArray(type) ? type.map(String) : String(type).split(',')
  return types
    .map((one) => (one === 'null' ? one : `${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}`))
    .join(' or ')
}

/** A JSON pointer as one would write it in code: `/items/0/name` is `items[0].name`. */
function toPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(join, '')
}

export function join(path: string, part: string): string {
  if (/^\d+$/.test(part)) return `${path}[${part}]`
  return path === '' ? part : `${path}.${part}`
}
