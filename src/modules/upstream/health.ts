import type { ClientError, Reason } from '../../client/index.ts'
import type { Platform, RelayedState } from '../../kernel/index.ts'
import type { Discretion } from './discretion.ts'
import type { UpstreamRefusal } from './sign-in/advice.ts'

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000

/** Why nobody is there; whoever is there and is of no use is sick for another reason. */
const AWAY: readonly Reason[] = ['unreachable', 'lost', 'timed-out', 'closed']

export interface HealthOptions {
  readonly name: string
  readonly platform: Pick<Platform, 'now' | 'after'>
  readonly discretion: Pick<Discretion, 'of' | 'hide'>
  /** Called when it is time to try again. */
  readonly retry: () => void
  /** What one does who has to sign in, where one can. */
  readonly signIn?: string | undefined
  /** What would help somebody who was refused. */
  readonly advise?: (refusal: UpstreamRefusal) => string
}

/** Whether an upstream can be reached; while it cannot, it is left alone for longer each time. */
export class Health {
  readonly #options: HealthOptions
  #failures = 0
  #reason = ''
  /** The same for those who call. */
  #brief = ''
  #how = 'reached'
  #isSignedOut = false
  /** What is to be typed before it can be used. */
  #wants: string | undefined
  #nextTry = 0
  #callOff: (() => void) | undefined

  constructor(options: HealthOptions) {
    this.#options = options
  }

  /** Who cannot be reached, why, and when it is tried next, for those who call; undefined when it is not known to be sick. */
  get trouble(): string | undefined {
    return this.#callOff && this.#tell(this.#brief)
  }

  /** The same also while it is being tried. */
  get complaint(): string | undefined {
    return (
      this.trouble ?? (this.#failures === 0 ? undefined : `${this.#options.name}: ${this.#or(this.#brief)}`)
    )
  }

  /** The same for whoever runs it, with what it has said itself. */
  get report(): string {
    return this.#tell(this.#reason)
  }

  /** Why it could not be reached when that was last tried, for whoever runs it. */
  get reason(): string {
    return this.#or(this.#reason)
  }

  #tell(reason: string): string {
    const { name, platform } = this.#options
    const seconds = Math.max(1, Math.ceil((this.#nextTry - platform.now()) / 1000))
    if (this.#wants !== undefined) return `${name} ${this.#or(reason)}`
    return `${name} cannot be ${this.#how} (${reason}), next try in ${seconds} s`
  }

  #or(reason: string): string {
    return this.#wants === undefined ? reason : `wants you to sign in: ${this.#wants}`
  }

  get state(): Pick<RelayedState, 'nextTry'> & { readonly sick: 'unreachable' | 'signed-out' | undefined } {
    if (this.#failures === 0) return { sick: undefined, nextTry: null }
    const nextTry = this.#callOff === undefined ? null : this.#nextTry
    return { sick: this.#isSignedOut ? 'signed-out' : 'unreachable', nextTry }
  }

  /** Tells those who call how it is now. */
  sick(error: unknown): string {
    const { platform, advise, discretion } = this.#options
    const { message, details, reason } = discretion.of(error) as Pick<ClientError, 'message'> &
      Partial<ClientError> // What is thrown is an error.
    const advice = discretion.hide(advise?.(details ?? {}) ?? '')
    this.#reason = `${message}${advice}`
    this.#brief = `${details?.brief ?? message}${advice}`
    this.#how = reason === undefined || AWAY.includes(reason) ? 'reached' : 'used'
    this.#isSignedOut = details?.status === 401
    this.#wants = this.#isSignedOut && advice === '' ? this.#options.signIn : undefined // It would not help otherwise.
    if (this.#callOff === undefined) {
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures++, LONGEST_PAUSE_MS)
      this.#nextTry = platform.now() + pauseMs
      this.#callOff = platform.after(pauseMs, () => this.retry())
    }
    return this.trouble ?? this.#brief
  }

  /** Tries again now, instead of when it was meant to be. */
  retry(): void {
    this.close()
    this.#options.retry()
  }

  well(): void {
    this.close()
    this.#failures = 0
    this.#isSignedOut = false
    this.#wants = undefined
  }

  close(): void {
    this.#callOff?.()
    this.#callOff = undefined
  }
}
