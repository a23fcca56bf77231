import type { JsonObject } from '../../kernel/index.ts'
import { documentOf, type Searched, type ToolDocument } from './document.ts'
import { wordsOf } from './words.ts'

/** How soon it ceases to matter that a word is said once more. */
const ENOUGH = 1.2

/** What has been read once; what is listed anew is another object, so that nothing here grows old. */
const READ = new WeakMap<JsonObject, ToolDocument>()

/** The tools that a query describes best, best first: BM25 over weighted fields. */
export function rank<Tool extends Searched>(query: string, tools: readonly Tool[]): readonly Tool[] {
  const documents = tools.map(read)
  const asked = [...new Set(wordsOf(query))].map((word) => ({ word, rarity: rarityOf(word, documents) }))
  return tools
    .map((tool, at) => ({ tool, score: score(documents[at], asked) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ tool }) => tool)
}

function read(tool: Searched): ToolDocument {
  const known = READ.get(tool.listed)
  if (known !== undefined) return known
  const document = documentOf(tool)
  READ.set(tool.listed, document)
  return document
}

interface AskedWord {
  readonly word: string
  readonly rarity: number
}

function rarityOf(word: string, documents: readonly ToolDocument[]): number {
  const having = documents.reduce((count, { weights }) => count + (weights.has(word) ? 1 : 0), 0)
  return Math.log(1 + (documents.length - having + 0.5) / (having + 0.5))
}

function score(document: ToolDocument | undefined, asked: readonly AskedWord[]): number {
  return asked.reduce((sum, { word, rarity }) => {
    const weight = document?.weights.get(word) ?? 0
    return sum + (rarity * weight * (ENOUGH + 1)) / (weight + ENOUGH)
  }, 0)
}
