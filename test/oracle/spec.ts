import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Ajv, type Options, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { TestContext } from 'vitest'
import { isObject, type JsonObject } from '../../src/kernel/index.ts'
import { close } from './close.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** The official schemas are not ours to keep, so they are read from a folder beside the repository. */
const FOLDER = resolve(ROOT, process.env['SPEC_DIR'] ?? '../shared/spec')

/** The official schema of one revision. */
export interface Spec {
  readonly id: string
  readonly definitions: { readonly [name: string]: JsonObject }
  /** What is wrong with a value by one of the definitions. */
  problems(definition: string, value: unknown): readonly string[]
  /** The same, where a member that the definition does not name is wrong as well. */
  strictProblems(definition: string, value: unknown): readonly string[]
}

export interface Example {
  readonly definition: string
  readonly name: string
  readonly text: string
}

const SPECS = new Map<string, Spec | undefined>()

export function findSpec(id: string): Spec | undefined {
  if (!SPECS.has(id)) SPECS.set(id, readSpec(id))
  return SPECS.get(id)
}

/** The schema of a revision, or a skipped test that says why. */
export function needSpec(context: TestContext, id: string): Spec {
  const spec = findSpec(id)
  if (spec !== undefined) return spec
  context.skip(`the official schema of ${id} is missing; set SPEC_DIR to a folder with the schema files`)
}

/** Every official example message of a revision. */
export function readExamples(id: string): readonly Example[] {
  const folder = join(FOLDER, `${id}-examples`)
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((definition) =>
    readdirSync(join(folder, definition)).map((name) => ({
      definition,
      name: `${definition}/${name}`,
      text: readFileSync(join(folder, definition, name), 'utf8'),
    })),
  )
}

const OPTIONS: Options = {
  strict: false,
  formats: {
    uri: (text: string) => URL.canParse(text),
    'uri-template': true,
    byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  },
}

/** Which build of ajv reads a schema, and where that dialect keeps its definitions. */
const DIALECTS: {
  readonly [dialect: string]: { readonly build: () => Ajv | Ajv2020; readonly key: string }
} = {
  'http://json-schema.org/draft-07/schema#': { build: () => new Ajv(OPTIONS), key: 'definitions' },
  'https://json-schema.org/draft/2020-12/schema': { build: () => new Ajv2020(OPTIONS), key: '$defs' },
}

function readSpec(id: string): Spec | undefined {
  const file = join(FOLDER, `${id}.json`)
  if (!existsSync(file)) return warn(id, file)
  const schema: JsonObject = JSON.parse(readFileSync(file, 'utf8'))
  const dialect = DIALECTS[String(schema['$schema'])]
  if (dialect === undefined) throw new Error(`${file} is in the unknown dialect ${schema['$schema']}`)
  const definitions = schema[dialect.key]
  if (!isObject(definitions)) throw new Error(`${file} has no ${dialect.key}`)
  return {
    id,
    definitions: definitions as { readonly [name: string]: JsonObject }, // Each is a schema.
    problems: checker(dialect.build(), schema, dialect.key),
    strictProblems: checker(dialect.build(), close(schema) as JsonObject, dialect.key),
  }
}

/** Said once for each revision, and loudly: a skipped oracle looks like one that is content. */
function warn(id: string, file: string): undefined {
  console.warn(
    `!!! The official schema of ${id} is missing: there is no ${file}. Set SPEC_DIR to a folder that has it.\n` +
      '!!! Checked instead, and less strictly, with the schemas of @modelcontextprotocol/core (published.test.ts).',
  )
}

function checker(ajv: Ajv | Ajv2020, schema: JsonObject, key: string) {
  ajv.addSchema(schema, 'spec')
  const compiled = new Map<string, ValidateFunction>()
  return (definition: string, value: unknown): readonly string[] => {
    const check = compiled.get(definition) ?? ajv.compile({ $ref: `spec#/${key}/${definition}` })
    compiled.set(definition, check)
    if (check(value)) return []
    return (check.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${definition}${instancePath} ${message} ${JSON.stringify(params)} in ${JSON.stringify(value)}`,
    )
  }
}
