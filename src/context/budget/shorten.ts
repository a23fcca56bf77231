import type { Bound, ContentBlock, JsonObject, Result } from '../../kernel/index.ts'
import { fitBlocks, isObject } from '../../kernel/index.ts'
import { type CutPlace, cutTo } from './cut.ts'
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

/** Cuts content and structured content together; undefined where what is left would not be what the tool promises. */
async function cutResult(result: Result, share: number, given: Bound): Promise<CutOff | undefined> {
  const { structuredContent } = result
  const blocks = result['content'] as readonly JsonObject[]
  const { twin, data } = twinsIn(blocks, structuredContent)
  const pictures = blocks.filter((block) => binaryOf(block) !== undefined)
  const others = blocks.filter((block) => block !== twin && !pictures.includes(block))
  const isTwice = twin !== undefined && structuredContent !== undefined
  const room = share * roomFor(given) * (isTwice ? 0.5 : 1)
  const whole = data !== undefined && { [DATA]: data }
  // Blocks are unlike each other: a small one stays, whatever stands before it. Very many are a list.
  const cut =
    cutTo(room, { ...whole, content: Object.fromEntries(others.entries()) }) ??
    cutTo(room, { ...whole, content: others })
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
    places: cut.places,
  }
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
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
