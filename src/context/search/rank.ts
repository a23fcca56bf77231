import type { JsonObject } from '../../kernel/index.ts'
import { documentOf, type Searched, type ToolDocument } from './document.ts'
import { kinOf, nearTo } from './kin.ts'
import { wordsOf } from './words.ts'

/** How soon it ceases to matter that a word is said once more. */
const ENOUGH = 1.2

/** How much a tool counts whose name is all asked for, beside how well it is described. */
const NAMED = 1.2

/** How much a word counts that means what was asked, or was likely meant, and how much in a name. */
const KIN = { said: 0.6, named: 0.4 }
const NEAR = { said: 0.5, named: 0.4 }
const SELF = { said: 1, named: 1 }

/** How many words of a query that no tool has are looked up among those that tools have. */
const LOOKED_UP = 12

/** What has been read once; what is listed anew is another object, so that nothing here grows old. */
const READ = new WeakMap<JsonObject, ToolDocument>()

/** A tool, and how well it is described by a query. */
export interface Ranked<Tool> {
  readonly tool: Tool
  readonly score: number
}

/** The tools that a query describes, best first: BM25 over weighted fields, by words and what means the same. */
export function rank<Tool extends Searched>(query: string, tools: readonly Tool[]): readonly Ranked<Tool>[] {
  const documents = tools.map(read)
  const corpus = new Corpus(documents)
  const asked = [...new Set(wordsOf(query))].map((word) => corpus.meanings(word))
  const named = namedBy(asked)
  return tools
    .map((tool, at) => ({ tool, score: scoreOf(documents[at] ?? NOTHING, { asked, named, corpus }) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
}

const NOTHING: ToolDocument = { weights: new Map(), name: [] }

function read(tool: Searched): ToolDocument {
  const known = READ.get(tool.listed)
  if (known !== undefined) return known
  const document = documentOf(tool)
  READ.set(tool.listed, document)
  return document
}

/** A word that a query may mean, and how much it tells to find it. */
interface Meaning {
  readonly word: string
  readonly said: number
  readonly named: number
}

interface AskedFor {
  readonly asked: readonly (readonly Meaning[])[]
  readonly named: ReadonlyMap<string, number>
  readonly corpus: Corpus
}

/** How many tools have each word. */
class Corpus {
  readonly #having = new Map<string, number>()
  readonly #count: number
  #lookedUp = 0

  constructor(documents: readonly ToolDocument[]) {
    this.#count = documents.length
    for (const { weights } of documents)
      for (const word of weights.keys()) this.#having.set(word, (this.#having.get(word) ?? 0) + 1)
  }

  rarity(word: string): number {
    const having = this.#having.get(word) ?? 0
    return Math.log(1 + (this.#count - having + 0.5) / (having + 0.5))
  }

  /** A word itself, those that mean the same, and, if nobody has it, those that look like it. */
  meanings(word: string): readonly Meaning[] {
    const near =
      this.#having.has(word) || this.#lookedUp++ >= LOOKED_UP ? [] : nearTo(word, this.#having.keys())
    const own = this.rarity(word)
    const meaning = (one: string, { said, named }: typeof SELF): Meaning => ({
      word: one,
      said: said * Math.min(own, this.rarity(one)),
      named,
    })
    return [
      meaning(word, SELF),
      ...near.map((one) => meaning(one, NEAR)),
      ...[...kinOf(word)].map((one) => meaning(one, KIN)),
    ]
  }
}

function namedBy(asked: AskedFor['asked']): ReadonlyMap<string, number> {
  const most = new Map<string, number>()
  for (const { word, named } of asked.flat()) most.set(word, Math.max(most.get(word) ?? 0, named))
  return most
}

function scoreOf({ weights, name }: ToolDocument, { asked, named, corpus }: AskedFor): number {
  let score = 0
  for (const meanings of asked) {
    let best = 0
    for (const { word, said } of meanings) {
      const weight = weights.get(word)
      if (weight !== undefined) best = Math.max(best, (said * weight * (ENOUGH + 1)) / (weight + ENOUGH))
    }
    score += best
  }
  return score === 0 ? 0 : score + NAMED * nameScore(name, named, corpus)
}

/** What of a name was asked for; a name of which everything was is worth more than one with the same and more. */
function nameScore(name: readonly string[], named: AskedFor['named'], corpus: Corpus): number {
  let asked = 0
  let all = 0
  for (const word of name) {
    const rarity = corpus.rarity(word)
    all += rarity
    asked += rarity * (named.get(word) ?? 0)
  }
  return all === 0 ? 0 : (asked * asked) / all
}
