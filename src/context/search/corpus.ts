import { once } from '../../kernel/index.ts'
import type { ToolDocument } from './document.ts'
import { kinOf } from './kin.ts'
import { type LookUps, Vocabulary } from './vocabulary.ts'

/** How much a word counts that means what was asked, or was likely meant, and how much in a name. */
const KIN = { said: 0.7, named: 0.5 }
const NEAR = { said: 0.5, named: 0.4 }
const SELF = { said: 1, named: 1 }

/** From how many tools on, and in what share of them, a word of their names tells them from others and not from each other. */
const PREFIX = { of: 4, share: 0.6 }

/** A word that a query may mean, and how much it tells to find it. */
export interface Meaning {
  readonly word: string
  readonly said: number
  readonly named: number
}

/** What is known of all tools together: how many have each word, and which words those of one server share. */
export class Corpus {
  readonly #having = new Map<string, number>()
  readonly #groups = new Map<string, { count: number; readonly words: Map<string, number> }>()
  readonly #documents: readonly ToolDocument[]
  readonly #vocabulary = once(() => new Vocabulary(this.#having.keys()))

  constructor(documents: readonly ToolDocument[]) {
    this.#documents = documents
    for (const { weights, name, group } of documents) {
      for (const word of weights.keys()) count(word, this.#having)
      const known = this.#groups.get(group) ?? { count: 0, words: new Map() }
      this.#groups.set(group, known)
      known.count++
      for (const word of new Set(name)) count(word, known.words)
    }
  }

  /** Whether it is of these and no others. */
  isOf(documents: readonly ToolDocument[]): boolean {
    return (
      documents.length === this.#documents.length && documents.every((one, at) => one === this.#documents[at])
    )
  }

  has(word: string): boolean {
    return this.#having.has(word)
  }

  rarity(word: string): number {
    const having = this.#having.get(word) ?? 0
    return Math.log(1 + (this.#documents.length - having + 0.5) / (having + 0.5))
  }

  /** Whether most tools of its server have this word in their names, as a prefix is. */
  isShared(word: string, { group }: ToolDocument): boolean {
    const known = this.#groups.get(group)
    if (known === undefined || known.count < PREFIX.of) return false
    return (known.words.get(word) ?? 0) > known.count * PREFIX.share
  }

  /** A word itself, those that mean the same, and, if it is to be looked up, those that look like it. */
  meanings(word: string, lookUps?: LookUps): readonly Meaning[] {
    const near = lookUps === undefined ? [] : this.#vocabulary().nearTo(word, lookUps)
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

function count(word: string, counts: Map<string, number>): void {
  counts.set(word, (counts.get(word) ?? 0) + 1)
}
