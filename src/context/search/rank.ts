import type { JsonObject } from '../../kernel/index.ts'
import { Corpus, type Meaning } from './corpus.ts'
import { deedOf } from './deeds.ts'
import { documentOf, type Searched, type ToolDocument } from './document.ts'
import { wordsOf } from './words.ts'

/** How soon it ceases to matter that a word is said once more. */
const ENOUGH = 1.2

/** How much a tool counts whose name is all asked for, beside how well it is described. */
const NAMED = 0.8

/** How much of a word that all names of a server have is missed where it was not asked for. */
const PREFIX_MISSED = 0.3

/** How many of the best are looked at once more, by their names. */
const LOOKED_AT = 10

/** By how much: words that stand side by side in both, the kind of deed, and each word that nobody asked for. */
const SIDE_BY_SIDE = 0.2
const DEED = 0.7
const UNASKED = 0.35

/** How many words of a query that no tool has are looked up among those that tools have. */
const LOOKED_UP = 12

/** What has been read once; what is listed anew is another object, so that nothing here grows old. */
const READ = new WeakMap<JsonObject, ToolDocument>()

/** A tool, and how well it is described by a query. */
export interface Ranked<Tool> {
  readonly tool: Tool
  readonly score: number
}

/** The tools that a query describes, best first: BM25 over weighted fields, by words and what means the same; then by names. */
export function rank<Tool extends Searched>(query: string, tools: readonly Tool[]): readonly Ranked<Tool>[] {
  const corpus = corpusOf(tools.map(read))
  const words = [...new Set(wordsOf(query))]
  const unknown = new Set(words.filter((word) => !corpus.has(word)).slice(0, LOOKED_UP))
  const lookUps = { steps: 0 }
  const meanings = words.map((word) => corpus.meanings(word, unknown.has(word) ? lookUps : undefined))
  const asked = { words, meanings, named: namedBy(meanings), corpus }
  const ranked = tools
    .map((tool) => ({ tool, score: scoreOf(read(tool), asked) }))
    .filter(({ score }) => score > 0)
    .sort(bestFirst)
  const looked = ranked
    .slice(0, LOOKED_AT)
    .map(({ tool, score }) => ({ tool, score: score + nameScore(read(tool), asked) }))
  return [...looked.sort(bestFirst), ...ranked.slice(LOOKED_AT)]
}

const COUNTED = new WeakMap<ToolDocument, Corpus>()

/** The words of tools are counted once, as long as they are the same tools. */
function corpusOf(documents: readonly ToolDocument[]): Corpus {
  const [first] = documents
  const known = first && COUNTED.get(first)
  if (known?.isOf(documents)) return known
  const corpus = new Corpus(documents)
  if (first !== undefined) COUNTED.set(first, corpus)
  return corpus
}

function bestFirst(one: Ranked<unknown>, other: Ranked<unknown>): number {
  return other.score - one.score
}

function read(tool: Searched): ToolDocument {
  const known = READ.get(tool.listed)
  if (known !== undefined) return known
  const document = documentOf(tool)
  READ.set(tool.listed, document)
  return document
}

interface AskedFor {
  readonly words: readonly string[]
  readonly meanings: readonly (readonly Meaning[])[]
  /** How much each word that may be meant counts in a name. */
  readonly named: ReadonlyMap<string, number>
  readonly corpus: Corpus
}

function namedBy(meanings: AskedFor['meanings']): ReadonlyMap<string, number> {
  const most = new Map<string, number>()
  for (const { word, named } of meanings.flat()) most.set(word, Math.max(most.get(word) ?? 0, named))
  return most
}

function scoreOf(document: ToolDocument, asked: AskedFor): number {
  const { weights } = document
  let score = 0
  for (const meanings of asked.meanings) {
    let best = 0
    for (const { word, said } of meanings) {
      const weight = weights.get(word)
      if (weight !== undefined) best = Math.max(best, (said * weight * (ENOUGH + 1)) / (weight + ENOUGH))
    }
    score += best
  }
  return score === 0 ? 0 : score + NAMED * namedShare(document, asked)
}

/** What of a name was asked for; a name of which everything was is worth more than one with the same and more. */
function namedShare(document: ToolDocument, { named, corpus }: AskedFor): number {
  let found = 0
  let all = 0
  for (const word of new Set(document.name)) {
    const rarity = corpus.rarity(word)
    const share = named.get(word) ?? 0
    all += share === 0 && corpus.isShared(word, document) ? rarity * PREFIX_MISSED : rarity
    found += rarity * share
  }
  return all === 0 ? 0 : (found * found) / all
}

/** What a name says beyond its words: in which order they stand, what is done, and what was not asked for. */
function nameScore(document: ToolDocument, { words, named, corpus }: AskedFor): number {
  const { name } = document
  const rarities = (some: readonly string[]) => some.reduce((sum, word) => sum + corpus.rarity(word), 0)
  const pairs = new Set(words.slice(1).map((word, at) => `${words[at]} ${word}`))
  const sideBySide = name
    .slice(1)
    .flatMap((word, at) => (pairs.has(`${name[at]} ${word}`) ? [name[at] ?? '', word] : []))
  const unasked = [...new Set(name)].filter((word) => !named.has(word) && !corpus.isShared(word, document))
  const [wanted, done] = [deedOf(words), deedOf(name)]
  const deed = wanted === undefined || done === undefined ? 0 : wanted === done ? DEED : -DEED
  return SIDE_BY_SIDE * rarities(sideBySide) + deed - UNASKED * rarities(unasked)
}
