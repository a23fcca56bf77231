import { LeftUnanswered } from '../../client/takers.ts'
import { isObject, type JsonObject, type Question } from '../../kernel/index.ts'
import { ownTurn } from '../../process/own-turn.ts'

interface HeldQuestion {
  readonly question: Question
  readonly answer: (answer: JsonObject) => void
  readonly leave: (reason: Error) => void
}

/** What an upstream asks within a call, until its client comes back with the answers. */
export class HeldQuestions {
  readonly #held = new Map<string, HeldQuestion>()
  #asked = 0

  get size(): number {
    return this.#held.size
  }

  get listed(): { readonly [key: string]: Question } {
    return Object.fromEntries([...this.#held].map(([key, { question }]) => [key, question]))
  }

  /** Resolves when nothing more is asked at once: it is heard one after the other, by whoever gives way to others between. */
  async rested(): Promise<void> {
    await ownTurn()
    for (let asked = 0; asked !== this.size; ) {
      asked = this.size
      await ownTurn()
    }
  }

  hold(question: Question, signal: AbortSignal): Promise<JsonObject> {
    const key = `${question.method.split('/')[0]}-${++this.#asked}`
    return new Promise((answer, leave) => {
      this.#held.set(key, { question, answer, leave })
      signal.addEventListener('abort', () => {
        this.#held.delete(key)
        leave(signal.reason)
      })
    })
  }

  /** By the keys under which they were listed. */
  answer(answers: { readonly [key: string]: unknown }): void {
    for (const [key, { answer }] of [...this.#held]) {
      const given = answers[key]
      if (!isObject(given)) continue
      this.#held.delete(key)
      answer(given)
    }
  }

  /** Nobody answers them; on a way that calls share, they may be another's. */
  leave(): void {
    for (const { leave } of this.#held.values()) leave(new LeftUnanswered())
    this.#held.clear()
  }
}
