import type { Ajv, ErrorObject, Options } from 'ajv'
import type { JsonObject } from '../kernel/index.ts'

export type Compiled = (value: unknown) => readonly ErrorObject[]

const OPTIONS: Options = {
  strict: false,
  validateFormats: false, // Formats are annotations in 2020-12.
  ownProperties: true, // An argument named like a member of Object.prototype is absent unless it was sent.
  verbose: true, // Error messages say what came.
  logger: false,
  addUsedSchema: false,
}

/** Which of ajv's builds reads which dialect. */
const BUILDS: { readonly [dialect: string]: string } = {
  'https://json-schema.org/draft/2020-12/schema': 'ajv/dist/2020.js',
  'http://json-schema.org/draft-07/schema': 'ajv/dist/ajv.js',
}

export const DEFAULT_DIALECT = 'https://json-schema.org/draft/2020-12/schema'

export function isKnownDialect(dialect: string): boolean {
  return Object.hasOwn(BUILDS, dialect)
}

/** Compiles on first use: loading ajv and compiling are too slow to stand before a server's first answer. */
export function compile(schema: JsonObject, dialect: string): Compiled {
  const check = instance(dialect).compile(schema)
  return (value) => (check(value) ? [] : (check.errors ?? []))
}

/** Loads ajv ahead of the first call. */
export function warmUp(): void {
  instance(DEFAULT_DIALECT)
}

const INSTANCES = new Map<string, Ajv>()

function instance(dialect: string): Ajv {
  const known = INSTANCES.get(dialect)
  if (known !== undefined) return known
  const require = process.getBuiltinModule('node:module').createRequire(import.meta.url)
  const build: { readonly default: new (options: Options) => Ajv } = require(BUILDS[dialect] ?? '')
  const created = new build.default(OPTIONS)
  INSTANCES.set(dialect, created)
  return created
}
