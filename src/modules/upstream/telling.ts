import { ClientError, ErrorReply } from '../../client/index.ts'
import { type Call, plainFault, type Revision, Told } from '../../kernel/index.ts'
import type { Caller } from './caller.ts'
import { explain, isMistaken, isUnspoken, toldBy } from './errors.ts'
import { forwardedOf, type PlainHeaders } from './forwarded.ts'
import type { UpstreamOptions } from './options.ts'
import type { AdvisedOne, UpstreamRefusal } from './sign-in/advice.ts'
import type { Tally } from './tally.ts'

export interface TellingOptions {
  readonly name: string
  readonly options: UpstreamOptions
  readonly caller: Caller
  readonly tally: Tally
}

/** What callers of an upstream are told of what went wrong. */
export class Telling {
  readonly #options: TellingOptions

  constructor(options: TellingOptions) {
    this.#options = options
  }

  /** What went wrong on the way is told with who it was; a tool has failed, anything else is an error. */
  explain(thrown: unknown, call: Call): unknown {
    const { name, caller, tally } = this.#options
    const forwarded = this.forwarded(call)
    const error = caller.discretion.of(thrown, forwarded)
    if (error instanceof ErrorReply) return this.explain(toldBy(error, caller.spoken, call), call)
    if (error instanceof Told && !call.aborted && !isMistaken(error)) tally.fail(explain(name, error.message))
    if (!(error instanceof ClientError)) return error
    const advice = (one: AdvisedOne) =>
      caller.discretion.hide(this.#advise(error.details, call, one), forwarded)
    if (!call.aborted) tally.fail(explain(name, `${error.message}${advice('operator')}`))
    const text = explain(name, `${error.details.brief ?? error.message}${advice('caller')}`)
    return call.method === 'tools/call' ? new Error(text) : plainFault('internalError', text)
  }

  /** What an upstream answers is passed on, unless signing in would help, or it is about what we speak to it. */
  readonly told = (thrown: unknown, spoken: Revision, call: Call): unknown => {
    const error = this.#options.caller.discretion.of(thrown, this.forwarded(call))
    if (!(error instanceof ErrorReply)) return error
    const { message, status = 0, challenge = '' } = error
    if (isUnspoken(error, spoken)) return new ClientError('unsupported', message, { cause: error })
    if (this.#advise({ status, challenge }, call, 'caller') === '') return toldBy(error, spoken, call)
    return new ClientError('refused', message, { status, challenge })
  }

  forwarded({ outlet }: Pick<Call, 'outlet'>): PlainHeaders | undefined {
    return forwardedOf(outlet, this.#options.options)
  }

  /** Who calls in a name of their own is not helped by what the gateway could do in its. */
  #advise(refusal: UpstreamRefusal, call: Call, one: AdvisedOne): string {
    if (this.forwarded(call)?.['authorization'] !== undefined) return ''
    const { caller } = this.#options
    const signIn = refusal.status === 401 ? caller.signIn(one) : undefined
    return caller.advise(refusal, one) || (signIn === undefined ? '' : `. To sign in: ${signIn}`)
  }
}
