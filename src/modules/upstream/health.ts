import { ClientError, type Reason } from '../../client/index.ts'
import { Pace } from '../../client/pace.ts'
import type { Platform, RelayedState } from '../../kernel/index.ts'
import type { Discretion } from './discretion.ts'
import type { AdvisedOne, UpstreamRefusal } from './sign-in/advice.ts'

const PAUSES = { firstMs: 1000, longestMs: 60_000 }

/** Whoever shares tokens with us may give the next reason after as long a pause. */
const EARLY_SHORT_MS = 2 * PAUSES.longestMs

/** Why nobody is there; whoever is there and is of no use is sick for another reason. */
const AWAY: readonly Reason[] = ['unreachable', 'lost', 'timed-out', 'closed']

export interface HealthOptions {
  readonly name: string
  readonly platform: Pick<Platform, 'now' | 'after'>
  readonly discretion: Pick<Discretion, 'of' | 'hide'>
  /** Called when it is time to try again. */
  readonly retry: () => void
  /** Called when it is well again. */
  readonly recovered?: () => void
  /** What one does who has to sign in, where one can. */
  readonly signIn?: (one: AdvisedOne) => string | undefined
  /** What would help somebody who was refused. */
  readonly advise?: (refusal: UpstreamRefusal, one: AdvisedOne) => string
}

/** Whether an upstream can be reached; while it cannot, it is left alone for longer each time. */
export class Health {
  readonly #options: HealthOptions
  readonly #pace: Pace
  /** That of trying for other reasons than time. */
  readonly #earlyPace: Pace
  #isSick = false
  #reason = ''
  /** The same for those who call. */
  #brief = ''
  #how = 'reached'
  #isSignedOut = false
  /** Whether signing in is what it takes before it can be used. */
  #isWanting = false
  #nextTry = 0
  #callOff: (() => void) | undefined
  #callOffEarly: (() => void) | undefined

  constructor(options: HealthOptions) {
    this.#options = options
    const { now } = options.platform
    this.#pace = new Pace({ ...PAUSES, now })
    this.#earlyPace = new Pace({ ...PAUSES, now, atOnce: true, shortMs: EARLY_SHORT_MS })
  }

  /** Who cannot be reached, why, and when it is tried next, for those who call; undefined when it is not known to be sick. */
  get trouble(): string | undefined {
    return this.#callOff && this.#tell(this.#brief, 'caller')
  }

  /** The same as an error, which tells whoever runs it more. */
  refusal(reason: Reason): ClientError | undefined {
    const { trouble } = this
    return trouble === undefined ? undefined : new ClientError(reason, this.report, { brief: trouble })
  }

  /** The same also while it is being tried. */
  get complaint(): string | undefined {
    return (
      this.trouble ?? (this.#isSick ? `${this.#options.name}: ${this.#or(this.#brief, 'caller')}` : undefined)
    )
  }

  /** The same for whoever runs it, with what it has said itself. */
  get report(): string {
    return this.#tell(this.#reason, 'operator')
  }

  /** Why it could not be reached when that was last tried, for whoever runs it. */
  get reason(): string {
    return this.#or(this.#reason, 'operator')
  }

  #tell(reason: string, one: AdvisedOne): string {
    const { name, platform } = this.#options
    const seconds = Math.max(1, Math.ceil((this.#nextTry - platform.now()) / 1000))
    if (this.#isWanting) return `${name} ${this.#or(reason, one)}`
    return `${name} cannot be ${this.#how} (${reason}), next try in ${seconds} s`
  }

  #or(reason: string, one: AdvisedOne): string {
    return this.#isWanting ? `wants you to sign in: ${this.#options.signIn?.(one)}` : reason
  }

  get state(): Pick<RelayedState, 'nextTry'> & { readonly sick: 'unreachable' | 'signed-out' | undefined } {
    if (!this.#isSick) return { sick: undefined, nextTry: null }
    const nextTry = this.#callOff === undefined ? null : this.#nextTry
    return { sick: this.#isSignedOut ? 'signed-out' : 'unreachable', nextTry }
  }

  /** Tells those who call how it is now. */
  sick(error: unknown): string {
    const { platform, signIn, discretion } = this.#options
    const { message, details, reason } = discretion.of(error) as Pick<ClientError, 'message'> &
      Partial<ClientError> // What is thrown is an error.
    const advice = this.#advise(details, 'operator')
    const brief = details?.brief ?? message
    this.#brief = `${brief}${this.#advise(details, 'caller')}`
    this.#reason = `${reason === 'timed-out' ? brief : message}${advice}` // Nobody here can set for how long.
    this.#how = reason === undefined || AWAY.includes(reason) ? 'reached' : 'used'
    this.#isSignedOut = details?.status === 401
    this.#isWanting = this.#isSignedOut && advice === '' && signIn?.('caller') !== undefined // It would not help otherwise.
    if (this.#callOff === undefined) {
      if (this.#isSick) this.#pace.done() // However long it took to find out.
      this.#isSick = true
      const pauseMs = this.#pace.next()
      this.#nextTry = platform.now() + pauseMs
      this.#callOff = platform.after(pauseMs, () => this.#retry())
    }
    return this.trouble ?? this.#brief
  }

  #advise(refusal: UpstreamRefusal = {}, one: AdvisedOne): string {
    const { advise, discretion } = this.#options
    return discretion.hide(advise?.(refusal, one) ?? '')
  }

  /** There is reason to try now, such as a new token; who gives one reason after the other is tried less and less often. */
  hurry(): void {
    if (this.#callOffEarly !== undefined) return
    const { platform } = this.#options
    const pauseMs = this.#earlyPace.next()
    if (pauseMs === 0) this.#retry()
    else this.#callOffEarly = platform.after(pauseMs, () => this.#retry())
  }

  well(): void {
    this.#callOff?.()
    this.#callOff = undefined
    const wasSick = this.#isSick
    if (wasSick) this.#pace.done() // Who is sick again soon is left alone for longer.
    this.#isSick = false
    this.#isSignedOut = false
    this.#isWanting = false
    if (wasSick) this.#options.recovered?.()
  }

  close(): void {
    this.#callOff?.()
    this.#callOff = undefined
    this.#callOffEarly?.()
    this.#callOffEarly = undefined
  }

  #retry(): void {
    this.close()
    this.#options.retry()
  }
}
