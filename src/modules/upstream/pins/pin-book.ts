import { hashContract, wholeContractOf } from '../../../contract/tool-contract.ts'
import { isObject, type JsonObject } from '../../../kernel/index.ts'

/** A tool as somebody has approved it. */
export interface PinnedTool {
  readonly hash: string
  readonly approved: string
  /** When it was approved for the first time, where that was another time. */
  readonly first?: string
  readonly contract: JsonObject
  /** What it has become since; it is not served until that is approved. */
  readonly changed?: { readonly hash: string; readonly seen: string; readonly contract: JsonObject }
}

/** The approved tools of one upstream, by the names it has for them. */
export interface PinnedTools {
  readonly [tool: string]: PinnedTool
}

export interface PinBook {
  readonly [upstream: string]: PinnedTools
}

export interface SeenTools {
  readonly tools: readonly JsonObject[]
  readonly now: string
  /** How many tools of an upstream are remembered. */
  readonly most: number
}

const NONE: PinnedTools = {}

export function toolsOf(book: PinBook, upstream: string): PinnedTools {
  return (Object.hasOwn(book, upstream) && book[upstream]) || NONE
}

/** What has been seen of one upstream and is in no file yet: its tools as they are pinned by that. */
export interface UnwrittenTools {
  readonly tools: PinnedTools
  /** How many tools of an upstream are remembered. */
  readonly most: number
}

/** The book with what has been seen by upstreams and is not in it; it is copied once, however many they are. */
export function addAll(book: PinBook, unwritten: ReadonlyMap<string, UnwrittenTools>): PinBook {
  const changed = [...unwritten].flatMap(([upstream, one]) => {
    const before = toolsOf(book, upstream)
    const after = addUnwritten(before, one)
    return after === before ? [] : [[upstream, after] as const]
  })
  return changed.length === 0 ? book : { ...book, ...Object.fromEntries(changed) }
}

/** What somebody else has said of a tool stands, and is held against what was seen of it last. */
export function addUnwritten(pinned: PinnedTools, { tools, most }: UnwrittenTools): PinnedTools {
  return updated(pinned, most, Object.entries(tools), (before, tool) =>
    before === undefined ? tool : look(before, tool.changed ?? tool, tool.changed?.seen ?? tool.approved),
  )
}

/** Those that are not as they were before. */
export function differing(after: PinnedTools, before: PinnedTools): PinnedTools {
  return Object.fromEntries(Object.entries(after).filter(([name, tool]) => tool !== before[name]))
}

/** The tools after their upstream has been looked at: what is seen for the first time is approved by that. */
export function see(pinned: PinnedTools, { tools, now, most }: SeenTools): PinnedTools {
  const named = tools.map((tool) => [String(tool['name']), tool] as const)
  return updated(pinned, most, named, (before, tool) => look(before, promiseOf(tool), now))
}

function updated<Seen>(
  pinned: PinnedTools,
  most: number,
  seen: readonly (readonly [string, Seen])[],
  update: (before: PinnedTool | undefined, one: Seen) => PinnedTool,
): PinnedTools {
  const known = new Map(Object.entries(pinned)) // Whatever a tool is called, also __proto__.
  let isSame = true
  for (const [name, one] of seen) {
    const before = known.get(name)
    if (before === undefined && known.size >= most) continue
    const after = update(before, one)
    isSame &&= after === before
    known.set(name, after)
  }
  return isSame ? pinned : Object.fromEntries(known)
}

function look(before: PinnedTool | undefined, { hash, contract }: ToolPromise, now: string): PinnedTool {
  if (before === undefined) return { hash, approved: now, contract }
  if (before.hash !== hash)
    return before.changed?.hash === hash ? before : { ...before, changed: { hash, seen: now, contract } }
  if (before.changed === undefined) return before
  const { changed: _gone, ...same } = before // It is again what it was.
  return same
}

type ToolPromise = Pick<PinnedTool, 'hash' | 'contract'>

const promises = new WeakMap<JsonObject, ToolPromise>()

/** By which one sees that a tool is another. */
export function hashOf(tool: JsonObject): string {
  return promiseOf(tool).hash
}

/** Found out once: the same list is held against the book whenever that has changed. */
function promiseOf(tool: JsonObject): ToolPromise {
  const known = promises.get(tool)
  if (known !== undefined) return known
  const contract = wholeContractOf(tool)
  const promise = { hash: hashContract(contract), contract }
  promises.set(tool, promise)
  return promise
}

/** Takes what a tool has become for what it is to be. */
export function approve(
  book: PinBook,
  upstream: string,
  { tool, now }: { tool: string; now: string },
): PinBook {
  const { changed, first, approved: before } = book[upstream]?.[tool] ?? {}
  if (changed === undefined) return book
  const { hash, contract } = changed
  const approved = { hash, approved: now, first: first ?? before ?? now, contract }
  return { ...book, [upstream]: { ...book[upstream], [tool]: approved } }
}

/** How a tool stands that an upstream lists. */
export function standingOf(tools: PinnedTools, tool: JsonObject): 'approved' | 'changed' | 'unknown' {
  const name = String(tool['name'])
  const pinned = Object.hasOwn(tools, name) ? tools[name] : undefined
  if (pinned === undefined) return 'unknown'
  return pinned.hash === promiseOf(tool).hash ? 'approved' : 'changed'
}

const VERSION = 1

export function printBook(book: PinBook): string {
  return `${JSON.stringify({ version: VERSION, tools: book }, null, 2)}\n`
}

/** Throws where it is no such book: trusting everything anew would be the one thing that it is there to prevent. */
export function parseBook(text: string): PinBook {
  const value: unknown = JSON.parse(text)
  const book = isObject(value) && value['version'] === VERSION ? value['tools'] : undefined
  if (!isObject(book)) throw new Error(`expected { "version": ${VERSION}, "tools": { … } }`)
  for (const [upstream, tools] of Object.entries(book))
    for (const [tool, pinned] of Object.entries(isObject(tools) ? tools : { [upstream]: undefined }))
      if (!isPinned(pinned)) throw new Error(`${upstream}: ${tool}: expected { hash, approved, contract }`)
  return book as unknown as PinBook // As just looked at.
}

function isPinned(value: unknown): boolean {
  if (!isObject(value) || typeof value['hash'] !== 'string' || !isObject(value['contract'])) return false
  const { changed } = value
  return changed === undefined || (isObject(changed) && isObject(changed['contract']))
}
