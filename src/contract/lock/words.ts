import type { SchemaDifference } from '../schemas/difference.ts'

/** Which of the two schemas is the older one. */
export type OlderSide = 'narrow' | 'wide'

interface DifferenceWords {
  readonly at: string
  readonly before: string
  readonly after: string
  readonly keyword: string
  /** What the one has and the other has not. */
  readonly values: string
  readonly type: string
}

type WordTable = { readonly [keyword: string]: (told: DifferenceWords) => string }

/** The older schema took what the newer one does not. */
const TAKES_LESS: WordTable = {
  required: ({ at }) => `${at} became required`,
  dependentRequired: ({ at, after }) => `${at} is required now where ${after} is given`,
  properties: ({ at }) => `${at} is gone`,
  type: ({ at, type }) => `${at} no longer takes ${type}`,
  enum: ({ at, values, after }) =>
    values === '' ? `${at} takes nothing but ${after} now` : `${at} no longer takes ${values}`,
  anyOf: ({ at }) => `${at} no longer takes one of the kinds that it took`,
}

/** The newer schema has what the older one had not. */
const TAKES_MORE: WordTable = {
  required: ({ at }) => `${at} is optional now`,
  dependentRequired: ({ at }) => `${at} is required less often`,
  properties: ({ at }) => `${at} is new, and optional`,
  type: ({ at, type }) => `${at} takes ${type}, too`,
  enum: ({ at, values, before }) =>
    values === '' ? `${at} takes more than ${before} now` : `${at} takes ${values}, too`,
  anyOf: ({ at }) => `${at} takes another kind, too`,
}

const GIVES_LESS: WordTable = {
  required: ({ at }) => `${at} is always there now`,
  properties: ({ at }) => `${at} is no longer given`,
  type: ({ at, type }) => `${at} is never ${type} any more`,
  enum: ({ at, values, after }) =>
    values === '' ? `${at} is nothing but ${after} now` : `${at} is never ${values} any more`,
  anyOf: ({ at }) => `${at} is one kind less`,
  additionalProperties: ({ at }) => `${at} has no other members any more than are said`,
}

const GIVES_MORE: WordTable = {
  required: ({ at }) => `${at} may be missing now`,
  properties: ({ at }) => `${at} is new, where it was said that there is nothing else`,
  type: ({ at, type }) => `${at} may be ${type} now`,
  enum: ({ at, values, before }) =>
    values === '' ? `${at} may be more than ${before} now` : `${at} may be ${values} now`,
  anyOf: ({ at }) => `${at} may be of another kind now`,
  additionalProperties: ({ at, before }) =>
    before === 'false'
      ? `${at} may have other members now`
      : `${at} may have other members than ${before} now`,
}

/** A difference of an input or output schema, told to those who call. */
export function tell(place: 'input' | 'output', difference: SchemaDifference, older: OlderSide): string {
  const { keyword, narrow, wide } = difference
  const at = difference.place === '' ? place : `${place}.${difference.place}`
  const [before, after] = older === 'narrow' ? [narrow, wide] : [wide, narrow]
  if (!difference.isCertain)
    return `${at}: nobody can say whether ${place === 'input' ? 'it takes what it took' : 'it gives what it gave'} (${keyword})`
  const table =
    place === 'input'
      ? older === 'narrow'
        ? TAKES_LESS
        : TAKES_MORE
      : older === 'narrow'
        ? GIVES_LESS
        : GIVES_MORE
  const told = {
    at,
    keyword,
    before: print(before),
    after: print(after),
    values: narrow === undefined ? '' : print(narrow),
    type: nameOf(narrow),
  }
  return (table[keyword] ?? changed)(told)
}

const changed = ({ at, keyword, before, after }: DifferenceWords): string => {
  if (before === '') return `${at} has ${keyword} ${after} now`
  return after === ''
    ? `${at} has no ${keyword} any more, which was ${before}`
    : `${at}: ${keyword} ${before} became ${after}`
}

function nameOf(type: unknown): string {
  return `${/^[aeiou]/.test(String(type)) ? 'an' : 'a'} ${String(type)}`.replace('a null', 'null')
}

const LONGEST = 80

function print(value: unknown): string {
  if (value === undefined) return ''
  const text = Array.isArray(value)
    ? value.map((one) => JSON.stringify(one)).join(', ')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
