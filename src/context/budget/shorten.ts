import type { Bound, ContentBlock, JsonObject, Result } from '../../kernel/index.ts'
import { fitBlocks, isObject } from '../../kernel/index.ts'
import { ownTurn } from '../../process/own-turn.ts'
import { type Cut, type CutPlace, cutTo } from './cut.ts'
import { isPromised } from './promised.ts'
import { type KeptRest, keepBinary, keepPages, onlyMeasured } from './rest.ts'
import { DATA, LINKS, refuse, SAID, tell } from './tell.ts'
import { TurnTaker } from './turn-taker.ts'
import { binaryOf, SHOWN_BYTES, weigh } from './weigh.ts'
import { Weights } from './weights.ts'

/** A result within its budget, with a link to what was left out of it. */
export async function shorten(result: Result, given: Bound): Promise<Result> {
  await ownTurn('next') // To make it has taken its time, and to print it takes as long again.
  const linked = await linkBinaries(result, given)
  const { tokens, said } = weigh(linked)
  if (tokens <= given.budget.tokens) return linked
  const weights = new Weights()
  const parts = await partsOf(linked, said, weights)
  await weights.prepare(parts.data)
  await weights.prepare(parts.others)
  for (let share = 0.97; share > 0.2; share *= 0.8) {
    const cut = await cutResult(parts, share * roomFor(given), given)
    if (cut === undefined) break
    const short = { result: { ...linked, ...cut.result }, places: cut.places, whole: linked, tokens, weights }
    if (weigh(await tell(short, given, onlyMeasured)).tokens <= given.budget.tokens)
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
  readonly pictures: readonly JsonObject[]
  readonly weights: Weights
}

/** Cuts content and structured content together; undefined where what is left would not be what the tool promises. */
async function cutResult(whole: ResultParts, room: number, given: Bound): Promise<CutOff | undefined> {
  const apart = toldApart(whole, room)
  const parts = apart.length === 0 ? whole : without(apart, whole)
  const cut = cutParts(parts, room)
  if (cut === undefined) return undefined
  const { [DATA]: kept, content } = cut.value as {
    readonly [DATA]?: unknown
    readonly content: { readonly [at: string]: JsonObject }
  }
  const { structured, twin, pictures } = parts
  if (structured !== undefined && !(await isPromised(kept, given))) return undefined
  const text = twin === undefined ? [] : [{ ...twin, text: JSON.stringify(kept) }]
  return {
    result: {
      content: [...text, ...Object.values(content), ...pictures],
      ...(structured !== undefined && { structuredContent: kept }),
    },
    places: [...cut.places, ...apart.map(leftOut)],
  }
}

async function partsOf(
  { content, structuredContent: structured }: Result,
  said: string | undefined,
  weights: Weights,
): Promise<ResultParts> {
  const blocks = content as readonly JsonObject[]
  const pictures = blocks.filter((block) => binaryOf(block) !== undefined)
  const others = blocks.filter((block) => binaryOf(block) === undefined)
  const { twin, data } = await twinsIn(others, structured, said)
  return { structured, data, twin, others: others.filter((block) => block !== twin), pictures, weights }
}

/** Blocks are unlike each other: a small one stays, whatever stands before it. Very many are a list. */
function cutParts({ structured, data, twin, others, weights }: ResultParts, room: number): Cut | undefined {
  const isTwice = twin !== undefined && structured !== undefined
  const whole = data !== undefined && { [DATA]: data }
  const share = room * (isTwice ? 0.5 : 1)
  const spot = { path: [], weights }
  return (
    cutTo(share, { ...whole, content: Object.fromEntries(others.entries()) }, spot) ??
    cutTo(share, { ...whole, content: others }, spot)
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
  return { path: ['content', String(at)], unit: 'characters', rest: () => rest, kept: 0, all: rest.length }
}

function isText({ type }: JsonObject): boolean {
  return type === 'text'
}

/** What there is room for, beside the words and links that say what was left out. */
function roomFor({ budget: { tokens } }: Bound): number {
  return Math.max(tokens - SAID.words - LINKS * SAID.link, tokens * SAID.least)
}

/** The data of a result, and the text that says the same; where a revision has no data, the text alone. */
async function twinsIn(
  blocks: readonly JsonObject[],
  structured: unknown,
  said: string | undefined,
): Promise<{ readonly twin?: JsonObject | undefined; readonly data?: unknown }> {
  const same = blocks.find(({ type, text }) => type === 'text' && text === said)
  if (same !== undefined) return { twin: same, data: structured }
  const pace = new TurnTaker()
  for (const block of blocks) {
    if (block['type'] !== 'text') continue
    const text = String(block['text'])
    await pace.before(text.length)
    const data = dataIn(text)
    if (data === undefined) continue
    await pace.before(text.length)
    if (said === undefined || JSON.stringify(data) === said) return { twin: block, data }
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
