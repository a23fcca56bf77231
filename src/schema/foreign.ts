import { isObject } from '../kernel/index.ts'
import { keysOf } from './json/keys.ts'
import { notWritable } from './remedies.ts'
import { isStandardSchema } from './standard.ts'

/** Throws a TypeError at what would pass for a JSON Schema and was meant to be something else. */
export function refuseForeign(schema: unknown): void {
  if (!isObject(schema)) return
  if (isOldZod(schema)) throw notWritable('zod')
  const field = keysOf(schema)
    .slice(0, MOST_LOOKED_AT)
    .find((name) => isStandardSchema(schema[name]) || isOldZod(schema[name]))
  if (field === undefined) return
  throw new TypeError(
    `expected a schema, got an object of schemas: wrap it in one, with zod z.object({ ${field}: … })`,
  )
}

/** An object of schemas has one among its first. */
const MOST_LOOKED_AT = 100

/** Before 3.24 zod had no Standard Schema. */
function isOldZod(value: unknown): boolean {
  return isObject(value) && typeof value['safeParse'] === 'function'
}
