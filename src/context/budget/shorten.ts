import type { Bound, ContentBlock, JsonObject, Result } from '../../kernel/index.ts'
import { fitBlocks, isObject } from '../../kernel/index.ts'
import { type Cut, type CutPlace, cutTo } from './cut.ts'
import { isPromised } from './promised.ts'
import { type KeptRest, keepBinary, keepPages, onlyMeasured } from './rest.ts'
import { DATA, LINKS, refuse, SAID, tell } from './tell.ts'
import { binaryOf, SHOWN_BYTES, tokensOf } from './weigh.ts'

/** A result within its budget, with a link to what was left out of it. */
export async function shorten(result: Result, given: Bound): Promise<Result> {
  const linked = await linkBinaries(result, given)
  const tokens = tokensOf(linked)
  if (tokens <= given.budget.tokens) return linked
  for (let share = 0.97; share > 0.2; share *= 0.8) {
    const cut = await cutResult(linked, share, given)
    if (cut === undefined) break
    const short = { ...cut, whole: linked, tokens }
    if (tokensOf(await tell(short, given, onlyMeasured)) <= given.budget.tokens)
      return tell(short, given, keepPages)
  }
  return refuse(linked, tokens, given)
}

/** Pictures, sounds and files that are too large are links, in whatever size the rest is. */
async function linkBinaries(result: Result, { call, budget }: Bound): Promise<Result> {
  const content: unknown[] = []
  for (const block of result['content'] as readonly unknown[]) {
    const binary = binaryOf(block) ?? fileOf(block)
    const most = binaryOf(block) === undefined ? budget.tokens : SHOWN_BYTES
    if (binary === undefined || binary.data.length <= most) content.push(block)
    else
      content.push(
        ...fitBlocks(
          linkTo(await keepBinary(binary.data, binary.mimeType, call), binary),
          call.peer.revision,
        ),
      )
  }
  return { ...result, content }
}

function linkTo(
  kept: KeptRest | undefined,
  { data, mimeType }: { data: string; mimeType: string },
): readonly ContentBlock[] {
  const size = Math.floor((data.length * 3) / 4)
  const what = `${mimeType} of ${size.toLocaleString('en')} bytes`
  if (kept === undefined) return [{ type: 'text', text: `[${what}, which is too large to be shown or kept]` }]
  return [{ type: 'resource_link', uri: kept.uri, name: 'rest', title: what, mimeType, size }]
}

function fileOf(block: unknown): { data: string; mimeType: string } | undefined {
  const resource = isObject(block) && block['type'] === 'resource' ? block['resource'] : undefined
  if (!isObject(resource) || typeof resource['blob'] !== 'string') return undefined
  return { data: resource['blob'], mimeType: String(resource['mimeType'] ?? 'application/octet-stream') }
}

interface CutOff {
  readonly result: Result
  readonly places: readonly CutPlace[]
}

/** A result in what is cut alike. */
interface ResultParts {
  readonly structured: unknown
  /** What is structured, or would be in another revision, and the text that says the same. */
  readonly data: unknown
  readonly twin?: JsonObject | undefined
  readonly others: readonly JsonObject[]
}

/** Cuts content and structured content together; undefined where what is left would not be what the tool promises. */
async function cutResult(result: Result, share: number, given: Bound): Promise<CutOff | undefined> {
  const { structuredContent } = result
  const blocks = result['content'] as readonly JsonObject[]
  const pictures = blocks.filter((block) => binaryOf(block) !== undefined)
  const room = share * roomFor(given)
  const whole = partsOf(
    blocks.filter((block) => !pictures.includes(block)),
    structuredContent,
  )
  const apart = toldApart(whole, room)
  const { twin, ...parts } = apart.length === 0 ? whole : without(apart, whole)
  const cut = cutParts({ twin, ...parts }, room)
  if (cut === undefined) return undefined
  const { [DATA]: kept, content } = cut.value as {
    readonly [DATA]?: unknown
    readonly content: { readonly [at: string]: JsonObject }
  }
  if (structuredContent !== undefined && !(await isPromised(kept, given))) return undefined
  const text = twin === undefined ? [] : [{ ...twin, text: JSON.stringify(kept) }]
  return {
    result: {
      ...result,
      content: [...text, ...Object.values(content), ...pictures],
      ...(structuredContent !== undefined && { structuredContent: kept }),
    },
    places: [...cut.places, ...apart.map(leftOut)],
  }
}

function partsOf(blocks: readonly JsonObject[], structured: unknown): ResultParts {
  const { twin, data } = twinsIn(blocks, structured)
  return { structured, data, twin, others: blocks.filter((block) => block !== twin) }
}

/** Blocks are unlike each other: a small one stays, whatever stands before it. Very many are a list. */
function cutParts({ structured, data, twin, others }: ResultParts, room: number): Cut | undefined {
  const isTwice = twin !== undefined && structured !== undefined
  const whole = data !== undefined && { [DATA]: data }
  const share = room * (isTwice ? 0.5 : 1)
  return (
    cutTo(share, { ...whole, content: Object.fromEntries(others.entries()) }) ??
    cutTo(share, { ...whole, content: others })
  )
}

/** Texts that would be cut beside data that is, each where its room ends: they would tell two stories. */
function toldApart(parts: ResultParts, room: number): readonly JsonObject[] {
  if (parts.structured === undefined || !parts.others.some(isText)) return []
  const places = cutParts(parts, room)?.places.map(({ path }) => path) ?? []
  if (!places.some(([root]) => root === DATA)) return []
  const cut = new Set(places.flatMap(([root, at]) => (root === DATA ? [] : [at])))
  return parts.others.filter((block, at) => isText(block) && (cut.has(String(at)) || cut.has(undefined)))
}

/** In their place the data is told once more, as it would be without them. */
function without(apart: readonly JsonObject[], parts: ResultParts): ResultParts {
  return {
    ...parts,
    twin: parts.twin ?? { type: 'text' },
    others: parts.others.filter((block) => !apart.includes(block)),
  }
}

function leftOut({ text }: JsonObject, at: number): CutPlace {
  const rest = String(text)
  return { path: ['content', String(at)], rest, kept: 0, all: rest.length }
}

function isText({ type }: JsonObject): boolean {
  return type === 'text'
}

/** What there is room for, beside the words and links that say what was left out. */
function roomFor({ budget: { tokens } }: Bound): number {
  return Math.max(tokens - SAID.words - LINKS * SAID.link, tokens * SAID.least)
}

/** The data of a result, and the text that says the same; where a revision has no data, the text alone. */
function twinsIn(
  blocks: readonly JsonObject[],
  structured: unknown,
): { readonly twin?: JsonObject | undefined; readonly data?: unknown } {
  const said = structured === undefined ? undefined : JSON.stringify(structured)
  for (const block of blocks) {
    const data = block['type'] === 'text' ? dataIn(String(block['text'])) : undefined
    if (data !== undefined && (said === undefined || JSON.stringify(data) === said))
      return { twin: block, data }
  }
  return { data: structured }
}

function dataIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || !isExact(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const TEXTS = /"[^"\\]*(?:\\.[^"\\]*)*"/g
const LONG_NUMBERS = /-?\d[\d.]{15,}(?:e[+-]?\d+)?/gi

/** Whether the numbers of a JSON text are what they were once it has been read and written: many an id is longer. */
function isExact(text: string): boolean {
  if (!/\d[\d.]{15}/.test(text)) return true
  const numbers = text.replace(TEXTS, '').match(LONG_NUMBERS) ?? []
  return numbers.every((number) => String(Number(number)) === number)
}
