import type { JsonObject } from '../../kernel/index.ts'
import { type Searched, textOf } from './document.ts'
import { type Ranked, rank } from './rank.ts'

/** A model of somebody's own that makes vectors of texts, one for each: what is alike in meaning lies close together. */
export type Embed = (texts: readonly string[]) => Promise<readonly (readonly number[])[]>

/** How much meaning counts beside words. */
const MEANING = 1

const KNOWN = new WeakMap<Embed, WeakMap<JsonObject, readonly number[]>>()

/** The same by words and by meaning. */
export async function rankWith<Tool extends Searched>(
  embed: Embed,
  query: string,
  tools: readonly Tool[],
): Promise<readonly Ranked<Tool>[]> {
  const worded = rank(query, tools)
  const best = worded[0]?.score ?? 1
  const byWords = new Map(worded.map(({ tool, score }) => [tool, score / best]))
  const [asked = [], ...vectors] = await vectorsOf(embed, query, tools)
  return tools
    .map((tool, at) => ({
      tool,
      score: (byWords.get(tool) ?? 0) + MEANING * closeness(asked, vectors[at] ?? []),
    }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
}

/** The vectors of a query and of tools; each tool is sent to the model once. */
async function vectorsOf(
  embed: Embed,
  query: string,
  tools: readonly Searched[],
): Promise<readonly (readonly number[])[]> {
  const known = KNOWN.get(embed) ?? new WeakMap<JsonObject, readonly number[]>()
  KNOWN.set(embed, known)
  const missing = tools.filter(({ listed }) => !known.has(listed))
  const [asked = [], ...made] = await embed([query, ...missing.map(textOf)])
  for (const [at, { listed }] of missing.entries()) known.set(listed, made[at] ?? [])
  return [asked, ...tools.map(({ listed }) => known.get(listed) ?? [])]
}

/** The cosine of the angle between two vectors; what is no vector is close to nothing. */
function closeness(one: readonly number[], other: readonly number[]): number {
  let dot = 0
  let first = 0
  let second = 0
  for (const [at, value] of one.entries()) {
    const beside = other[at] ?? 0
    dot += value * beside
    first += value * value
    second += beside * beside
  }
  const cosine = dot / Math.sqrt(first * second)
  return Number.isFinite(cosine) ? Math.max(0, cosine) : 0
}
