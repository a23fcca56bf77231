import { tellAll } from '../../src/context/fit/fit-result.ts'
import { SHOWN, type ShownParts } from '../../src/context/shown-parts.ts'
import { isRecord, type JsonRecord } from './json.ts'
import { estimateTokens } from './text.ts'

/** What a host would show its model of a result. */
export interface ShownToModel {
  readonly host: string
  /** Which part of the result, in words. */
  readonly part: string
  readonly text: string
  readonly tokens: number
}

/** The same result in every host of which it is known what it shows, as it is given to that host. */
export function shownToModels(result: JsonRecord, fit: 'host' | 'off'): readonly ShownToModel[] {
  return Object.entries(SHOWN).map(([host, shows]) => ({
    host,
    ...shownBy(shows, fit === 'host' ? tellAll(shows, result) : result),
  }))
}

function shownBy(shows: ShownParts, result: JsonRecord): Omit<ShownToModel, 'host'> {
  const { structuredContent: data, content, isError } = result
  const wanted = isError === true ? shows.failed : shows.given
  const blocks = Array.isArray(content) ? content.filter(isRecord) : []
  const [part, text] =
    data !== undefined && wanted === 'data'
      ? ['the data', JSON.stringify(data)]
      : [data === undefined ? 'the content' : 'the text', blocks.map(wordsOf).join('\n')]
  return { part, text, tokens: estimateTokens(text) }
}

/** About how many tokens a result is, pictures and sounds apart, without what the protocol alone reads. */
export function weightOf(result: JsonRecord): number {
  const { content, structuredContent: data, _meta, resultType, ...others } = result
  if (!Array.isArray(content)) return estimateTokens(others)
  const words = estimateTokens(content.filter(isRecord).map(wordsOf).join('\n'))
  return data === undefined ? words : words + estimateTokens(data)
}

/** A block in words, where it is not text. */
function wordsOf(block: JsonRecord): string {
  const { type, text, uri, mimeType, resource } = block
  if (typeof text === 'string') return text
  if (isRecord(resource)) return wordsOf({ type: 'resource', ...resource })
  return `[${[type, uri, mimeType].filter((one) => typeof one === 'string').join(' ')}]`
}

/** How many tokens a result had, and what it was cut to; undefined where nothing was left out. */
export function cutFrom(result: JsonRecord): { readonly tokens: number; readonly to: number } | undefined {
  const meta = result['_meta']
  const cut = isRecord(meta) ? meta['perigee/cut'] : undefined
  if (!isRecord(cut)) return undefined
  const { tokens, to } = cut
  return typeof tokens === 'number' && typeof to === 'number' ? { tokens, to } : undefined
}
