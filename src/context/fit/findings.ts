import { isObject, type JsonObject } from '../../kernel/index.ts'
import { HOSTS, type Host, type Trait } from '../hosts.ts'
import { changeSchemas } from './walk.ts'

/** Something of a tool that a host refuses, or does not show its model. */
export interface HostFinding {
  readonly tool: string
  readonly host: string
  readonly at: string
  readonly what: string
  readonly because: string
}

/** What hosts would refuse of a tool as it is listed, or lose. */
export function findingsOf(tool: JsonObject): readonly HostFinding[] {
  return HOSTS.flatMap((host) =>
    ['inputSchema', 'outputSchema'].flatMap((name) =>
      isObject(tool[name]) ? findingsIn(tool, name, host) : [],
    ),
  )
}

function findingsIn(tool: JsonObject, name: string, { id, schemas }: Host): readonly HostFinding[] {
  if (schemas === undefined) return []
  const { traits, keywords = [], because } = schemas
  const found: HostFinding[] = []
  changeSchemas(tool[name], (schema, at) => {
    const whats = [
      ...traits.filter((trait) => HAS[trait](schema, at)).map((trait) => WORDS[trait]),
      ...keywords.filter((keyword) => Object.hasOwn(schema, keyword)),
    ]
    for (const what of whats)
      found.push({ tool: String(tool['name']), host: id, at: `${name}${at}`, what, because })
    return schema
  })
  return found
}

const HAS: { readonly [trait in Trait]: (schema: JsonObject, at: string) => boolean } = {
  refs: ({ $ref }) => $ref !== undefined,
  dialect: ({ $schema }) => $schema !== undefined,
  nullable: ({ type, anyOf, oneOf }) =>
    (Array.isArray(type) && type.includes('null')) ||
    [anyOf, oneOf].some((several) => Array.isArray(several) && several.some(isNull)),
  types: ({ type }) => Array.isArray(type),
  'root-union': (schema, at) => at === '' && ['anyOf', 'oneOf', 'allOf'].some((name) => name in schema),
  'enum-values': (schema) =>
    Array.isArray(schema['enum']) && schema['enum'].some((one) => typeof one !== 'string'),
  'bare-array': ({ type, items }) => type === 'array' && !isObject(items),
}

const WORDS: { readonly [trait in Trait]: string } = {
  refs: '$ref',
  dialect: '$schema',
  nullable: 'something or null',
  types: 'several types at once',
  'root-union': 'anyOf, oneOf or allOf at the root',
  'enum-values': 'an enum with values that are no texts',
  'bare-array': 'an array without items',
}

function isNull(schema: unknown): boolean {
  return isObject(schema) && schema['type'] === 'null'
}
