import type { Id } from '../../kernel/index.ts'
import type { HostSpeaker } from './speaker.ts'

interface ChildQuestion {
  readonly child: HostSpeaker
  readonly id: Id
}

/** What children have asked the client and it has not answered. Each child counts from one, so they are counted anew. */
export class ChildQuestions {
  readonly #open = new Map<Id, ChildQuestion>()
  #last = 0

  /** The id by which the client is asked. */
  add(child: HostSpeaker, id: Id): Id {
    this.#open.set(++this.#last, { child, id })
    return this.#last
  }

  /** Whose question it was, and by which id. */
  take(id: Id): ChildQuestion | undefined {
    const found = this.#open.get(id)
    this.#open.delete(id)
    return found
  }

  /** The id by which the client knows a question that a child takes back. */
  takeBack(child: HostSpeaker, id: unknown): Id | undefined {
    const found = [...this.#open].find(([, question]) => question.child === child && question.id === id)
    if (found !== undefined) this.#open.delete(found[0])
    return found?.[0]
  }

  /** Those that nobody waits for any more. */
  lose(child: HostSpeaker): readonly Id[] {
    const lost = [...this.#open].flatMap(([id, question]) => (question.child === child ? [id] : []))
    for (const id of lost) this.#open.delete(id)
    return lost
  }
}
