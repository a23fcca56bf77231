import { ClientError, ErrorReply } from '../../client/index.ts'
import { cut, flagOf, isObject, type LogLevel, type Server, tame } from '../../kernel/index.ts'
import { formsOf, sortSecrets, withoutSecrets } from './confidential.ts'
import type { PlainHeaders } from './forwarded.ts'
import type { UpstreamOptions } from './options.ts'
import { secretsIn, secretsOf } from './secrets.ts'

/** What is told of a failure: to whoever runs the gateway, and to whoever calls. */
const LONGEST_REPORT = 500
const LONGEST_LINE = 300

/** How many values of headers are remembered that change, as tokens do. */
const REMEMBERED = 16

/** What may be told of an upstream's failures, and to whom: every word of them passes here before anybody reads it. */
export class Discretion {
  readonly #configured: readonly string[]
  /** What it was told by headers that are made while it is used, the latest last. */
  readonly #given = new Map<string, readonly string[]>()

  constructor(options: UpstreamOptions) {
    this.#configured = secretsOf(options).flatMap(formsOf)
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
      this.#given.set(value, secretsIn(value).flatMap(formsOf))
      const [oldest] = this.#given.keys()
      if (oldest !== undefined && this.#given.size > REMEMBERED) this.#given.delete(oldest)
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
      const told = this.hide({ message, data, challenge }, forwarded)
      return new ErrorReply({ code, ...told }, status, told.challenge)
    }
    if (!(error instanceof ClientError)) return error
    const { cause: _said, brief = error.message, ...details } = error.details
    const line = (text: string, longest: number) =>
      cut(tame(cut(this.hide(byFlag(text), forwarded), longest)), longest)
    const told = { ...details, brief: line(brief, LONGEST_LINE) }
    return new ClientError(error.reason, line(error.message, LONGEST_REPORT), told)
  }

  /** A result by which a tool says that it has failed says so without secrets; any other is passed on as it is. */
  ofResult(result: unknown, forwarded?: PlainHeaders): unknown {
    return isObject(result) && result['isError'] === true ? this.hide(result, forwarded) : result
  }

  /** The same value without what the upstream was told in confidence. */
  hide<Value>(value: Value, forwarded: PlainHeaders = {}): Value {
    const own = Object.values(forwarded).flatMap(secretsIn).flatMap(formsOf)
    const secrets = sortSecrets([...this.#configured, ...own, ...[...this.#given.values()].flat()])
    return secrets.length === 0 ? value : (hideIn(value, secrets) as Value) // It has the same form.
  }
}

/** A limit of our client's is set by a flag here. */
function byFlag(text: string): string {
  return text.replace('(maxMessageBytes)', `(--${flagOf('maxUpstreamMessageBytes')})`)
}

function hideIn(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return withoutSecrets(value, secrets)
  if (Array.isArray(value)) return value.map((one) => hideIn(one, secrets))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hideIn(one, secrets)]))
}
