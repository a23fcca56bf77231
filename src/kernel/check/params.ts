import { Fault } from '../faults.ts'
import { isObject, type JsonObject } from '../jsonrpc/message.ts'
import { describe, repeat } from '../words/describe.ts'

// What a method's parameters are read with; a wrong one is a Fault that names it.

const NONE: JsonObject = {}

/**
 * `within` is the way to an object inside the parameters: `clientInfo.`
 * @example const name = checkString(call.params, 'name')
 */
export function checkString(params: JsonObject | undefined, key: string, within = ''): string {
  return (
    findString(params, key) ??
    wrong({ key, within, expected: 'a string', schema: { type: 'string' }, params })
  )
}

/**
 * For what looks before it is checked; `String` would run what a client calls `toString`.
 * @example const uri = findString(call.params, 'uri') ?? ''
 */
export function findString(params: JsonObject | undefined, key: string): string | undefined {
  const value = params?.[key]
  return typeof value === 'string' ? value : undefined
}

/**
 * The same for one that may be left out.
 * @example const cursor = checkOptionalString(call.params, 'cursor')
 */
export function checkOptionalString(
  params: JsonObject | undefined,
  key: string,
  within = '',
): string | undefined {
  return params?.[key] === undefined ? undefined : checkString(params, key, within)
}

export function checkObject(params: JsonObject | undefined, key: string): JsonObject {
  const value = params?.[key]
  return isObject(value) ? value : wrong({ key, expected: 'an object', schema: { type: 'object' }, params })
}

/** An absent object reads as an empty one. */
export function checkOptionalObject(params: JsonObject | undefined, key: string): JsonObject {
  return params?.[key] === undefined ? NONE : checkObject(params, key)
}

export function checkOneOf<T extends string>(
  params: JsonObject | undefined,
  key: string,
  allowed: readonly T[],
): T {
  const found = allowed.find((one) => one === params?.[key])
  return found ?? wrong({ key, expected: `one of ${allowed.join(', ')}`, schema: { enum: allowed }, params })
}

interface Wrong {
  readonly key: string
  readonly within?: string
  readonly expected: string
  /** The same as JSON Schema. */
  readonly schema: JsonObject
  readonly params: JsonObject | undefined
}

export function wrong({ key, within = '', expected, schema, params = NONE }: Wrong): never {
  const logged = `Invalid params: ${within}${key}: expected ${expected}`
  const message = `${logged}, got ${describe(params[key])}`
  const expectedSchema = { type: 'object', properties: { [key]: schema }, required: [key] }
  const details = { expectedSchema, receivedParams: repeat(params) }
  throw new Fault('invalidParams', message, undefined, details, logged)
}
