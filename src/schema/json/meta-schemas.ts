/** The schemas of the dialects themselves, for schemas that take a schema. Titles and comments are left out. */
export function findMetaSchema(uri: string): unknown {
  if (uri === 'http://json-schema.org/draft-07/schema') return draft07()
  const name = uri.startsWith(DRAFT_2020_12) ? uri.slice(DRAFT_2020_12.length) : ''
  return Object.hasOwn(PARTS, name) ? document(name, PARTS[name]?.() ?? {}) : undefined
}

const DRAFT_2020_12 = 'https://json-schema.org/draft/2020-12/'

function document(name: string, part: object): object {
  return { $schema: `${DRAFT_2020_12}schema`, $id: DRAFT_2020_12 + name, $dynamicAnchor: 'meta', ...part }
}

const SCHEMA = { $dynamicRef: '#meta' }
const SCHEMAS = { type: 'object', additionalProperties: SCHEMA, default: {} }
const SCHEMA_LIST = { type: 'array', minItems: 1, items: SCHEMA }
const TYPE = ['object', 'boolean']
const ANCHOR = { type: 'string', pattern: '^[A-Za-z_][-A-Za-z0-9._]*$' }
const REFERENCE = { type: 'string', format: 'uri-reference' }
const COUNT = { type: 'integer', minimum: 0 }
const NAMES = { type: 'array', items: { type: 'string' }, uniqueItems: true, default: [] }
const SIMPLE_TYPES = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] }
const TYPES = {
  anyOf: [SIMPLE_TYPES, { type: 'array', items: SIMPLE_TYPES, minItems: 1, uniqueItems: true }],
}

const PARTS: { readonly [name: string]: () => object } = {
  schema: () => ({
    allOf: Object.keys(PARTS)
      .filter((name) => name !== 'schema' && name !== 'meta/format-assertion')
      .map(($ref) => ({ $ref })),
    type: TYPE,
    properties: {
      definitions: SCHEMAS,
      dependencies: { type: 'object', additionalProperties: { anyOf: [SCHEMA, NAMES] }, default: {} },
      $recursiveAnchor: ANCHOR,
      $recursiveRef: REFERENCE,
    },
  }),
  'meta/core': () => ({
    type: TYPE,
    properties: {
      $id: { ...REFERENCE, pattern: '^[^#]*#?$' },
      $schema: { type: 'string', format: 'uri' },
      $ref: REFERENCE,
      $anchor: ANCHOR,
      $dynamicRef: REFERENCE,
      $dynamicAnchor: ANCHOR,
      $vocabulary: {
        type: 'object',
        propertyNames: { type: 'string', format: 'uri' },
        additionalProperties: { type: 'boolean' },
      },
      $comment: { type: 'string' },
      $defs: SCHEMAS,
    },
  }),
  'meta/applicator': () => ({
    type: TYPE,
    properties: {
      prefixItems: SCHEMA_LIST,
      items: SCHEMA,
      contains: SCHEMA,
      additionalProperties: SCHEMA,
      properties: SCHEMAS,
      patternProperties: { ...SCHEMAS, propertyNames: { format: 'regex' } },
      dependentSchemas: SCHEMAS,
      propertyNames: SCHEMA,
      if: SCHEMA,
      // biome-ignore lint/suspicious/noThenProperty: JSON Schema has a keyword of this name.
      then: SCHEMA,
      else: SCHEMA,
      allOf: SCHEMA_LIST,
      anyOf: SCHEMA_LIST,
      oneOf: SCHEMA_LIST,
      not: SCHEMA,
    },
  }),
  'meta/unevaluated': () => ({
    type: TYPE,
    properties: { unevaluatedItems: SCHEMA, unevaluatedProperties: SCHEMA },
  }),
  'meta/validation': () => ({
    type: TYPE,
    properties: {
      type: TYPES,
      const: true,
      enum: { type: 'array', items: true },
      multipleOf: { type: 'number', exclusiveMinimum: 0 },
      maximum: { type: 'number' },
      exclusiveMaximum: { type: 'number' },
      minimum: { type: 'number' },
      exclusiveMinimum: { type: 'number' },
      maxLength: COUNT,
      minLength: COUNT,
      pattern: { type: 'string', format: 'regex' },
      maxItems: COUNT,
      minItems: COUNT,
      uniqueItems: { type: 'boolean' },
      maxContains: COUNT,
      minContains: COUNT,
      maxProperties: COUNT,
      minProperties: COUNT,
      required: NAMES,
      dependentRequired: { type: 'object', additionalProperties: NAMES },
    },
  }),
  'meta/meta-data': () => ({
    type: TYPE,
    properties: {
      title: { type: 'string' },
      description: { type: 'string' },
      default: true,
      deprecated: { type: 'boolean' },
      readOnly: { type: 'boolean' },
      writeOnly: { type: 'boolean' },
      examples: { type: 'array', items: true },
    },
  }),
  'meta/format-annotation': () => ({ type: TYPE, properties: { format: { type: 'string' } } }),
  'meta/format-assertion': () => ({ type: TYPE, properties: { format: { type: 'string' } } }),
  'meta/content': () => ({
    type: TYPE,
    properties: {
      contentEncoding: { type: 'string' },
      contentMediaType: { type: 'string' },
      contentSchema: SCHEMA,
    },
  }),
}

function draft07(): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'http://json-schema.org/draft-07/schema#',
    type: TYPE,
    properties: { ...DRAFT07_WORDS, ...DRAFT07_LIMITS, ...draft07Holders() },
    default: true,
  }
}

const [NUMBER, TEXT, FLAG] = [{ type: 'number' }, { type: 'string' }, { type: 'boolean' }]

/** What says what a schema is about. */
const DRAFT07_WORDS = {
  $id: REFERENCE,
  $schema: { type: 'string', format: 'uri' },
  $ref: REFERENCE,
  $comment: TEXT,
  title: TEXT,
  description: TEXT,
  default: true,
  readOnly: FLAG,
  writeOnly: FLAG,
  examples: { type: 'array', items: true },
}

/** What says how far a value may go. */
const DRAFT07_LIMITS = {
  multipleOf: { type: 'number', exclusiveMinimum: 0 },
  maximum: NUMBER,
  exclusiveMaximum: NUMBER,
  minimum: NUMBER,
  exclusiveMinimum: NUMBER,
  maxLength: COUNT,
  minLength: COUNT,
  pattern: { type: 'string', format: 'regex' },
  maxItems: COUNT,
  minItems: COUNT,
  uniqueItems: FLAG,
  maxProperties: COUNT,
  minProperties: COUNT,
  required: NAMES,
  const: true,
  enum: { type: 'array', items: true },
  type: TYPES,
  format: TEXT,
  contentMediaType: TEXT,
  contentEncoding: TEXT,
}

/** What holds further schemas. */
function draft07Holders(): object {
  const self = { $ref: '#' }
  const list = { type: 'array', minItems: 1, items: self }
  const map = { type: 'object', additionalProperties: self, default: {} }
  return {
    additionalItems: self,
    items: { anyOf: [self, list], default: true },
    contains: self,
    additionalProperties: self,
    definitions: map,
    properties: map,
    patternProperties: { ...map, propertyNames: { format: 'regex' } },
    dependencies: { type: 'object', additionalProperties: { anyOf: [self, NAMES] } },
    propertyNames: self,
    if: self,
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema has a keyword of this name.
    then: self,
    else: self,
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: self,
  }
}
