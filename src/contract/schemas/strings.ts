import type { JsonObject } from '../../kernel/index.ts'
import { compareLeast, compareMost } from './counts.ts'
import { differ, type SchemaDifference, type SchemaWay, unsure } from './difference.ts'

export function compareStrings(
  narrow: JsonObject,
  wide: JsonObject,
  way: SchemaWay,
): readonly SchemaDifference[] {
  return [
    ...compareLeast('minLength', { narrow, wide }, way),
    ...compareMost('maxLength', { narrow, wide }, way),
    ...comparePatterns(narrow['pattern'], wide['pattern'], way),
    ...compareFormats(narrow['format'], wide['format'], way),
  ]
}

/** What one pattern matches and another does not, nobody can say. */
function comparePatterns(narrow: unknown, wide: unknown, way: SchemaWay): readonly SchemaDifference[] {
  if (wide === undefined || narrow === wide) return []
  const found = differ(way, 'pattern', { narrow, wide })
  return [narrow === undefined ? found : unsure(found)]
}

/** Every text of the one format is one of the others. */
const WITHIN: { readonly [format: string]: readonly string[] } = {
  uri: ['uri-reference', 'iri', 'iri-reference'],
  'uri-reference': ['iri-reference'],
  iri: ['iri-reference'],
  email: ['idn-email'],
  hostname: ['idn-hostname'],
}

/** That a format is a note to some who check does not make it one to who has to fill it in. */
function compareFormats(narrow: unknown, wide: unknown, way: SchemaWay): readonly SchemaDifference[] {
  if (wide === undefined || narrow === wide) return []
  if (typeof narrow === 'string' && WITHIN[narrow]?.includes(String(wide))) return []
  return [differ(way, 'format', { narrow, wide })]
}
