import { ownTurn } from '../../../process/own-turn.ts'
import { isFree, isOpen } from '../change.ts'
import { textClauses } from '../search.ts'
import type { Task } from '../task.ts'
import type { TaskFilter } from '../task-store.ts'
import { fits } from './fits.ts'

/** After so many letters others have a turn: they take two milliseconds. */
const TURN = 1_000_000

/** What is looked at without reading it through takes as long as so many letters. */
const GLANCE = 64

interface LookedAt {
  readonly task: Task
  readonly words: string
}

/** Looks for what fits a filter, and counts what that takes. */
export class TaskLook {
  readonly #filter: TaskFilter
  readonly #kept: ReadonlyMap<string, LookedAt>
  /** As the words of a task are kept, each after a space. */
  readonly #wanted: readonly string[]
  #letters = 0

  constructor(filter: TaskFilter, kept: ReadonlyMap<string, LookedAt>) {
    this.#filter = filter
    this.#kept = kept
    const clauses = filter.text === undefined ? [] : textClauses(filter.text)
    this.#wanted = clauses.map(([{ word }]) => ` ${word}`)
  }

  /** Whether others have waited long enough. */
  get isLong(): boolean {
    return this.#letters >= TURN
  }

  /** Whoever looks at a list as it was holds it, and goes on before the next one does. */
  async rest(): Promise<void> {
    await ownTurn('next')
    this.#letters = 0
  }

  finds({ task, words }: LookedAt): boolean {
    this.#letters += GLANCE
    const { readyAt } = this.#filter
    return (
      fits(task, this.#filter) &&
      (readyAt === undefined || this.#isReady(task, readyAt)) &&
      this.#wanted.every((word) => this.#isIn(words, word))
    )
  }

  #isReady(task: Task, at: string): boolean {
    return isFree(task, at) && task.blockedBy?.some((id) => this.#blocks(id)) !== true
  }

  #blocks(id: string): boolean {
    this.#letters += GLANCE
    const blocker = this.#kept.get(id)?.task
    return blocker !== undefined && isOpen(blocker.status)
  }

  #isIn(words: string, word: string): boolean {
    this.#letters += words.length
    return words.includes(word)
  }
}
