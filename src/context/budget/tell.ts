import type { Bound, Call, ContentBlock, JsonObject, Result } from '../../kernel/index.ts'
import { fitBlocks, isObject } from '../../kernel/index.ts'
import { MORE } from '../fit/opened.ts'
import type { CutPlace } from './cut.ts'
import { type Pages, pagesOf, piecesOf } from './pages.ts'
import { isPromised } from './promised.ts'
import { type KeptRest, keepPages } from './rest.ts'
import type { Weights } from './weights.ts'

/** More links than this say less than one to all of it. */
export const LINKS = 4

/** How much of a budget is left for what is cut, beside the words and links that say so. */
export const SAID = { least: 0.5, words: 160, link: 90 }

/** What the data of a result is called in the paths of what was cut. */
export const DATA = 'structuredContent'

export interface Shortened {
  readonly result: Result
  readonly places: readonly CutPlace[]
  /** What there was, and how much. */
  readonly whole: Result
  readonly tokens: number
  readonly weights: Weights
}

type Keep = (pages: () => Promise<Pages>, call: Call) => KeptRest | undefined | Promise<KeptRest | undefined>

interface RestLink {
  readonly title: string
  readonly kept: KeptRest | undefined
}

/** The result with one sentence, and links, for models that see its text and for those that see its data. */
export async function tell(short: Shortened, given: Bound, keep: Keep): Promise<Result> {
  const { result, places, whole, tokens, weights } = short
  const { call, budget } = given
  const links: RestLink[] = []
  if (places.length > LINKS)
    links.push({
      title: 'all of it, from its beginning',
      kept: await keep(() => wholePages(whole, given), call),
    })
  else
    for (const place of places)
      links.push({
        title: titleOf(place),
        kept: await keep(() => pagesOf(place, roomOf(given), weights), call),
      })
  const said = `This is the beginning of a result of about ${numbered(tokens)} tokens, cut to ${numbered(budget.tokens)}. ${howToGoOn(links)}`
  const { structuredContent } = result
  const more = isObject(structuredContent) ? { ...structuredContent, [MORE]: said } : structuredContent
  const told = more !== structuredContent && (await isPromised(more, given))
  return {
    ...result,
    content: [
      ...(result['content'] as readonly ContentBlock[]),
      ...fitBlocks([...blocksOf(said, links)], call.peer.revision),
    ],
    ...(told && { structuredContent: more }),
    ...cutMeta(result, tokens, given),
  }
}

/** The same for programs: how many tokens there were, and how many were let through. */
function cutMeta({ _meta }: Result, tokens: number, { budget }: Bound): Result {
  return { _meta: { ...(isObject(_meta) && _meta), 'perigee/cut': { tokens, to: budget.tokens } } }
}

/** A result that cannot be cut: its client gets the link to it and nothing that breaks its promise. */
export async function refuse(whole: Result, tokens: number, given: Bound): Promise<Result> {
  const { call, budget } = given
  const link = { title: 'all of it', kept: await keepPages(() => wholePages(whole, given), call) }
  const said = `The result is about ${numbered(tokens)} tokens, more than the ${numbered(budget.tokens)} that are shown, and cannot be cut so that it still fits its schema. ${howToGoOn([link])}`
  const { structuredContent: _data, content: _content, ...rest } = whole
  const { revision } = call.peer
  return {
    ...rest,
    content: fitBlocks([...blocksOf(said, [link])], revision),
    ...(revision.failedTools === 'tool-result' && { isError: true }),
    ...cutMeta(whole, tokens, given),
  }
}

function blocksOf(said: string, links: readonly RestLink[]): readonly ContentBlock[] {
  const linked = links.flatMap(({ title, kept }) =>
    kept === undefined ? [] : [{ type: 'resource_link' as const, name: 'rest', title, ...kept }],
  )
  return [{ type: 'text', text: said }, ...linked]
}

function howToGoOn(links: readonly RestLink[]): string {
  const parts = links.map(({ title, kept }) =>
    kept === undefined
      ? `${title}: it could not be kept, so ask for less`
      : `${title}: read the resource ${kept.uri}`,
  )
  return `What was left out: ${parts.join('; ')}. Each page names the next, for 15 minutes.`
}

function titleOf({ path, kept, all, unit }: CutPlace): string {
  return `${nameOf(path)} from ${numbered(kept + 1)} of ${numbered(all)} ${unit}`
}

/** Where it was cut, in words of whoever sees the result. */
function nameOf([root, ...path]: readonly string[]): string {
  if (root === DATA) return path.length === 0 ? 'the data' : path.join('.')
  return path.length === 0 ? 'the content' : 'the text'
}

function wholePages({ content, structuredContent }: Result, given: Bound): Promise<Pages> {
  const blocks = content as readonly JsonObject[]
  const only = blocks.length === 1 ? blocks[0]?.['text'] : undefined
  const text = structuredContent === undefined ? only : JSON.stringify(structuredContent)
  const room = roomOf(given)
  if (typeof text === 'string' && blocks.length <= 1)
    return piecesOf(text, { room, before: 0, mimeType: 'text/plain' })
  return piecesOf(JSON.stringify({ content, structuredContent }), { room, before: 0, mimeType: 'text/plain' })
}

function roomOf({ budget }: Bound): number {
  return Math.max(budget.tokens - SAID.words, budget.tokens * SAID.least)
}

const numbered = (count: number) => count.toLocaleString('en')
