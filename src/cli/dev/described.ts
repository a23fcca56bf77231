import { createHash } from 'node:crypto'
import { isObject, type Server } from '../../kernel/index.ts'

/** A list of which clients can be told that it has changed. */
export type DevList = keyof Server['offers']

const NOUNS = { tools: 'tool', resources: 'resource', templates: 'template', prompts: 'prompt' } as const

/** What stands on a list: a digest of each entry, by its name. */
type Digests = { readonly [key: string]: string }

/** What a server offers, so far as it takes to see what has changed. */
export type Described = { readonly [kind in keyof typeof NOUNS]: Digests } & {
  /** What a host reads once, when it connects. */
  readonly introduction: string
}

export function describeServer(server: Server): Described {
  return {
    tools: digestsOf(server.tools),
    resources: digestsOf(server.resources),
    templates: digestsOf(server.templates),
    prompts: digestsOf(server.prompts),
    introduction: digest([server.info, server.settings.instructions]),
  }
}

export const NOTHING: Described = { tools: {}, resources: {}, templates: {}, prompts: {}, introduction: '' }

/** What makes one server differ from the one before. */
export interface Difference {
  readonly lists: readonly DevList[]
  /** As people read it: `+1 tool, ~1 prompt`; empty where nothing has changed. */
  readonly words: string
}

export function differenceOf(before: Described, after: Described): Difference {
  const changes = (Object.keys(NOUNS) as (keyof typeof NOUNS)[]).map((kind) => ({
    list: kind === 'templates' ? ('resources' as const) : kind,
    words: wordsOf(NOUNS[kind], before[kind], after[kind]),
  }))
  const changed = changes.filter(({ words }) => words.length > 0)
  const introduced = before.introduction !== '' && before.introduction !== after.introduction
  return {
    lists: [...new Set(changed.map(({ list }) => list))],
    words: [
      ...changed.flatMap(({ words }) => words),
      ...(introduced ? ['what it says of itself, which a host reads when it connects'] : []),
    ].join(', '),
  }
}

function wordsOf(noun: string, before: Digests, after: Digests): readonly string[] {
  const added = Object.keys(after).filter((key) => !Object.hasOwn(before, key))
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  const changed = Object.keys(after).filter((key) => Object.hasOwn(before, key) && before[key] !== after[key])
  return [count('+', added, noun), count('-', removed, noun), count('~', changed, noun)].filter(
    (words) => words !== '',
  )
}

function count(sign: string, { length }: readonly string[], noun: string): string {
  return length === 0 ? '' : `${sign}${length} ${noun}${length === 1 ? '' : 's'}`
}

function digestsOf(
  items: Iterable<{ readonly key: string; readonly listed: unknown; readonly scopes: readonly string[] }>,
): Digests {
  return Object.fromEntries([...items].map(({ key, listed, scopes }) => [key, digest([listed, scopes])]))
}

function digest(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(canonical(value)))
    .digest('base64url')
}

/** The order in which members were written makes no difference. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, canonical(value[key])]),
  )
}
