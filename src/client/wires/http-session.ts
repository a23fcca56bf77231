import { describe, type Revision } from '../../kernel/index.ts'
import { ClientError } from '../errors.ts'
import { forgottenAgain } from './is-forgotten.ts'
import type { SessionState } from './request-headers.ts'

const NONE: SessionState = { id: undefined, revision: undefined }

/** It goes into a header of every request. */
const ID = /^[\x21-\x7e]+$/

/** What a server over HTTP keeps for a client, if it keeps anything: opened again when the server has forgotten it. */
export class HttpSession {
  readonly #open: () => Promise<void>
  #state = NONE
  #reopening: Promise<void> | undefined
  /** Whether it was opened again and has not answered anything yet: whoever loses it as well gives up. */
  #isUnproven = false
  /** Whether there is none although there was one. */
  #isLost = false

  constructor(open: () => Promise<void>) {
    this.#open = open
  }

  get state(): SessionState {
    return this.#state
  }

  /** Whether the server keeps one, also while it is being opened again. */
  get isKept(): boolean {
    return this.#state.id !== undefined || this.#isLost
  }

  /** Takes the id that came with the answer to a handshake. */
  begin(id: string | null): void {
    this.#state = NONE
    if (id !== null && !ID.test(id))
      throw new ClientError(
        'nonsense',
        `The server calls its session ${describe(id)}: expected visible characters of ASCII`,
      )
    this.#state = { id: id ?? undefined, revision: undefined }
  }

  /** What is spoken in it. */
  agreed(revision: Revision): void {
    this.#state = { ...this.#state, revision }
  }

  /** Something has been answered in it. */
  proved(): void {
    this.#isUnproven = false
  }

  /** Resolves when there is one, if there ever was. */
  ready(): Promise<void> | undefined {
    return this.#isLost ? this.reopen(this.#state) : this.#reopening
  }

  /** What was refused before is refused in this one as well. */
  giveUp(refusal: ClientError): never {
    this.#isUnproven = false
    throw forgottenAgain(refusal)
  }

  /** Everybody whose session is gone waits for the same new one; who loses that as well is told how it was refused. */
  reopen(lost: SessionState, refusal?: ClientError): Promise<void> {
    if (lost !== this.#state || this.#reopening !== undefined) return Promise.resolve(this.#reopening)
    this.#isUnproven = !this.#isUnproven
    if (!this.#isUnproven) return Promise.reject(forgottenAgain(refusal))
    this.#state = NONE
    this.#isLost = true
    this.#reopening = this.#openAgain()
    return this.#reopening
  }

  async #openAgain(): Promise<void> {
    try {
      await this.#open()
      this.#isLost = false
    } catch (error) {
      this.#isUnproven = false
      throw error
    } finally {
      this.#reopening = undefined
    }
  }
}
