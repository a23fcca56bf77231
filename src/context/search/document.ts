import { isObject, type JsonObject } from '../../kernel/index.ts'
import { oneLine } from '../types/words.ts'
import { wordsOf } from './words.ts'

/** What a tool says of itself and where, as words that can be counted. */
export interface ToolDocument {
  /** How much each word weighs in it. */
  readonly weights: ReadonlyMap<string, number>
  /** The words of its name, in their order; numbers tell versions apart, and nothing that is done. */
  readonly name: readonly string[]
  /** Those of one server have the same. */
  readonly group: string
}

/** A tool and what is known of where it comes from. */
export interface Searched {
  readonly listed: JsonObject
  readonly about?: string | undefined
}

interface SearchedField {
  readonly weight: number
  /** How much a long text counts less than a short one. */
  readonly even: number
  /** About how many words it has. */
  readonly usual: number
  read(tool: Searched): string
}

const FIELDS: readonly SearchedField[] = [
  { weight: 3, even: 0.4, usual: 3, read: ({ listed }) => `${listed['name']} ${listed['title'] ?? ''}` },
  { weight: 1.4, even: 0.6, usual: 12, read: ({ listed }) => descriptionOf(listed).first },
  { weight: 0.8, even: 0.6, usual: 20, read: ({ listed }) => descriptionOf(listed).rest },
  { weight: 0.4, even: 0.6, usual: 20, read: ({ listed }) => parametersOf(listed['inputSchema']) },
  { weight: 1, even: 0.5, usual: 20, read: ({ about = '' }) => about },
]

export function documentOf(tool: Searched): ToolDocument {
  const weights = new Map<string, number>()
  for (const { weight, even, usual, read } of FIELDS) {
    const words = wordsOf(read(tool))
    const share = weight / (1 - even + (even * words.length) / usual)
    for (const word of words) weights.set(word, (weights.get(word) ?? 0) + share)
  }
  const name = wordsOf(String(tool.listed['name'])).filter((word) => !/^\d+$/.test(word))
  return { weights, name, group: tool.about ?? '' }
}

/** What a tool says of itself, in one piece. */
export function textOf(tool: Searched): string {
  return FIELDS.map(({ read }) => read(tool))
    .filter((text) => text !== '')
    .join('\n')
}

/** The first sentence says what a tool does, and the rest how. */
function descriptionOf({ description }: JsonObject): { readonly first: string; readonly rest: string } {
  const text = String(description ?? '').trim()
  const end = /[.!?。！？](?=\s|$)|[。！？]|\n/.exec(text)?.index ?? text.length
  return { first: text.slice(0, end), rest: text.slice(end) }
}

/** The names of what a tool takes, and what is said of it. */
function parametersOf(schema: unknown): string {
  const properties = isObject(schema) ? schema['properties'] : undefined
  if (!isObject(properties)) return ''
  return Object.entries(properties)
    .map(([name, one]) => `${name} ${isObject(one) ? oneLine(one['description']) : ''}`)
    .join(' ')
}
