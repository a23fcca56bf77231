import type { Audience } from '../callers/audience.ts'
import type { Announcer } from './announcer.ts'
import type { ListName, ServerChange } from './listener.ts'

/** Whom the changes of a list concern, each audience once. */
type Audiences = Map<string, Audience>

interface WaitingChange {
  readonly list: ListName
  readonly audiences: Audiences
}

/** Lists that have changed and of which nobody has been told yet. However much one call changes, it is told once. */
export class Changes {
  readonly #announcer: Announcer
  readonly #isClosing: () => boolean
  #waiting: WaitingChange[] = []
  readonly #sinceCall = new Map<ListName, Audiences>()
  #calls = 0
  #seen = 0

  /** What is taken off the lists because the server closes is no news. */
  constructor(announcer: Announcer, isClosing: () => boolean) {
    this.#announcer = announcer
    this.#isClosing = isClosing
  }

  /** How many changes there have been. */
  get told(): number {
    return this.#announcer.told
  }

  /** One more call: what changes in it is told of by itself. */
  called(): void {
    this.#calls++
  }

  add(list: ListName, audience: Audience): void {
    if (!this.#announcer.heard || this.#isClosing()) {
      this.#announcer.told++
      return
    }
    if (this.#waiting.length === 0) queueMicrotask(() => this.tell())
    if (this.#seen !== this.#calls) this.#sinceCall.clear()
    this.#seen = this.#calls
    const audiences = this.#sinceCall.get(list) ?? this.#begin(list)
    const { owner = null, scopes, hidden = false } = audience
    audiences.set(JSON.stringify([owner, scopes, hidden]), audience)
  }

  get untold(): boolean {
    return this.#waiting.length > 0
  }

  /** At the latest, this happens when the turn is over. */
  tell(): void {
    this.#tellAll((change) => this.#announcer.tell(change))
  }

  /** What `run` changes has changed on another node, which tells the others. */
  fromElsewhere(run: () => void): void {
    this.tell()
    run()
    this.#tellAll((change) => this.#announcer.tellHere(change))
  }

  #tellAll(tell: (change: ServerChange) => void): void {
    if (this.#waiting.length === 0) return
    const changes = this.#waiting.map(({ list, audiences }) => ({ list, audiences: [...audiences.values()] }))
    this.#waiting = []
    this.#sinceCall.clear()
    for (const change of changes) tell(change)
  }

  #begin(list: ListName): Audiences {
    const audiences: Audiences = new Map()
    this.#sinceCall.set(list, audiences)
    this.#waiting.push({ list, audiences })
    return audiences
  }
}
