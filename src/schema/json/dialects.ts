import { once } from '../../kernel/index.ts'
import { DRAFTS } from './names.ts'

/** Where a keyword holds schemas. */
export type Holds = 'schema' | 'list' | 'map' | 'schema or list' | 'map of schemas or names'

export interface Draft {
  readonly keywords: ReadonlySet<string>
  /** The keywords that hold schemas. */
  readonly holders: ReadonlyMap<string, Holds>
  /** Whether a `$ref` stands alone, and what is beside it counts for nothing. */
  readonly loneRefs: boolean
  /** Whether a text that is not of its `format` is refused. */
  readonly formats: 'noted' | 'asserted'
}

const VOCABULARY = 'https://json-schema.org/draft/2020-12/vocab/'

/** Which vocabulary of 2020-12 has which keywords. */
const VOCABULARIES: { readonly [name: string]: string } = {
  core: '$id $schema $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $comment $defs definitions',
  applicator:
    'prefixItems items contains additionalProperties properties patternProperties dependentSchemas ' +
    'propertyNames if then else allOf anyOf oneOf not dependencies',
  unevaluated: 'unevaluatedItems unevaluatedProperties',
  validation:
    'type const enum multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern ' +
    'maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired',
  content: 'contentEncoding contentMediaType contentSchema',
  'format-annotation': 'format',
  'format-assertion': 'format',
  'meta-data': '',
}

const HOLDERS: { readonly [keyword: string]: Holds } = {
  $defs: 'map',
  definitions: 'map',
  prefixItems: 'list',
  items: 'schema',
  contains: 'schema',
  additionalProperties: 'schema',
  properties: 'map',
  patternProperties: 'map',
  dependentSchemas: 'map',
  dependencies: 'map of schemas or names',
  propertyNames: 'schema',
  if: 'schema',
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema has a keyword of this name.
  then: 'schema',
  else: 'schema',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  not: 'schema',
  unevaluatedItems: 'schema',
  unevaluatedProperties: 'schema',
  contentSchema: 'schema',
}

export const draft202012 = once(() =>
  withVocabularies(Object.keys(VOCABULARIES).filter((name) => name !== 'format-assertion')),
)

const draft07 = once(
  (): Draft => ({
    ...dialect(
      '$id $schema $ref $comment definitions items additionalItems contains additionalProperties properties ' +
        'patternProperties dependencies propertyNames if then else allOf anyOf oneOf not type const enum multipleOf ' +
        'maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems ' +
        'maxProperties minProperties required format',
      { ...HOLDERS, items: 'schema or list', additionalItems: 'schema' },
    ),
    loneRefs: true,
  }),
)

const BY_URI = new Map([
  [DRAFTS['2020-12'], draft202012],
  [DRAFTS['07'], draft07],
])

export function findDialect(uri: string): Draft | undefined {
  return BY_URI.get(uri)?.()
}

/** The dialect of a meta-schema with a `$vocabulary`; undefined when it needs one that is not known here. */
export function dialectOfVocabulary(vocabulary: { readonly [uri: string]: unknown }): Draft | undefined {
  const uris = Object.keys(vocabulary)
  const isKnown = (uri: string) =>
    uri.startsWith(VOCABULARY) && Object.hasOwn(VOCABULARIES, uri.slice(VOCABULARY.length))
  if (uris.some((uri) => vocabulary[uri] === true && !isKnown(uri))) return undefined
  return withVocabularies(uris.filter(isKnown).map((uri) => uri.slice(VOCABULARY.length)))
}

function withVocabularies(names: readonly string[]): Draft {
  const keywords = ['core', ...names].map((name) => VOCABULARIES[name]).join(' ')
  const formats = names.includes('format-assertion') ? 'asserted' : 'noted'
  return { ...dialect(keywords, HOLDERS), formats }
}

function dialect(text: string, holders: { readonly [keyword: string]: Holds }): Draft {
  const keywords = new Set(text.split(' '))
  return {
    keywords,
    holders: new Map(Object.entries(holders).filter(([keyword]) => keywords.has(keyword))),
    loneRefs: false,
    formats: 'noted',
  }
}
