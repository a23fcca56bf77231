import { ClientError, ErrorReply } from '../../client/index.ts'
import { cut, FAULTS, flagOf, type JsonObject, type LogLevel, type Server, tame } from '../../kernel/index.ts'
import { Confidential } from './confidential.ts'
import type { PlainHeaders } from './forwarded.ts'
import type { UpstreamOptions } from './options.ts'
import { type Secret, toSecrets } from './secret-forms.ts'
import { secretsIn, secretsInForwarded, secretsOf } from './secrets.ts'
import { hideAround, URL_ELICITATION_REQUIRED } from './url-elicitations.ts'

/** What is told of a failure: to whoever runs the gateway, and to whoever calls. */
const LONGEST_REPORT = 500
const LONGEST_LINE = 300

/** The same of what an upstream answers: less than is kept of it, so that no secret of which only half was kept is told. */
const LONGEST_ANSWER = 8 * 1024

/** How many values of headers are remembered that change, as tokens do. */
const REMEMBERED = 16

/** What may be told of an upstream's failures, and to whom: every word of them passes here before anybody reads it. */
export class Discretion {
  readonly #configured: readonly Secret[]
  /** What it was told by headers that are made while it is used, the latest last. */
  readonly #given = new Map<string, readonly Secret[]>()
  /** All of that, with what callers have had forwarded. */
  readonly #confidential = new Map<string, Confidential>()

  constructor(options: UpstreamOptions) {
    this.#configured = toSecrets(secretsOf(options))
  }

  /** The same headers, of which is remembered what was sent. */
  learning(headers: UpstreamOptions['headers']): UpstreamOptions['headers'] {
    if (typeof headers !== 'function') return headers // They are configured.
    return (challenge, refused) => {
      const given = headers(challenge, refused)
      return given instanceof Promise ? given.then((one) => this.#learn(one)) : this.#learn(given)
    }
  }

  #learn(headers: PlainHeaders): PlainHeaders {
    for (const value of Object.values(headers)) {
      if (this.#given.has(value)) continue
      remember(this.#given, value, toSecrets(secretsIn(value)))
      this.#confidential.clear()
    }
    return headers
  }

  /** Tells whoever runs it. */
  noting({ observe }: Server): (message: string, level?: LogLevel) => void {
    return (message, level = 'warning') => observe({ kind: 'noted', level, message: this.hide(message) })
  }

  /** An error as it may be told: without secrets and, where it is ours, in one line for those who call. */
  of(error: unknown, forwarded?: PlainHeaders): unknown {
    if (error instanceof ErrorReply) {
      const { code, message, data, status, challenge } = error
      const hide = <Value>(value: Value) => this.hide(value, forwarded)
      const shown = this.#of(forwarded).hideAtOnce(data)
      const isAsking = code === URL_ELICITATION_REQUIRED
      const told = {
        code: this.#codeOf(code, forwarded),
        message: cut(hide(message), LONGEST_ANSWER),
        data: isAsking && shown !== undefined ? hideAround(data, hide) : beginningOf(shown),
      }
      return new ErrorReply(told, status, hide(challenge))
    }
    if (!(error instanceof ClientError)) return error
    const { cause: _said, brief = error.message, ...details } = error.details
    const line = (text: string, longest: number) =>
      cut(tame(cut(this.hide(byFlag(text), forwarded), longest)), longest)
    const told = { ...details, brief: line(brief, LONGEST_LINE) }
    return new ClientError(error.reason, line(error.message, LONGEST_REPORT), told)
  }

  /** A result by which a tool says that it has failed says so without secrets; any other is passed on as it is. */
  ofResult(result: JsonObject, forwarded?: PlainHeaders): JsonObject | Promise<JsonObject> {
    if (result['isError'] !== true) return result
    return this.#of(forwarded).hideInTurns(result) as JsonObject | Promise<JsonObject> // It has the same form.
  }

  /** The same value without what the upstream was told in confidence. */
  hide<Value>(value: Value, forwarded?: PlainHeaders): Value {
    return this.#of(forwarded).hide(value) as Value // It has the same form, where that is not itself a secret.
  }

  /** A code has to be a number. */
  #codeOf(code: number, forwarded: PlainHeaders | undefined): number {
    return this.#of(forwarded).has(code) ? FAULTS.internalError.code : code
  }

  #of(forwarded: PlainHeaders = {}): Confidential {
    const values = Object.values(forwarded)
    const key = JSON.stringify(values)
    const known = this.#confidential.get(key)
    if (known !== undefined) return known
    const own = toSecrets(secretsInForwarded(values))
    const made = new Confidential([...this.#configured, ...own, ...[...this.#given.values()].flat()])
    remember(this.#confidential, key, made)
    return made
  }
}

function beginningOf(data: unknown): unknown {
  return typeof data === 'string' ? cut(data, LONGEST_ANSWER) : data
}

/** Not more of them than anybody needs. */
function remember<Value>(all: Map<string, Value>, key: string, value: Value): void {
  all.set(key, value)
  const [oldest] = all.keys()
  if (oldest !== undefined && all.size > REMEMBERED) all.delete(oldest)
}

/** A limit of our client's is set by a flag here. */
function byFlag(text: string): string {
  return text.replace('(maxMessageBytes)', `(--${flagOf('maxUpstreamMessageBytes')})`)
}
