import { type Client, ClientError, ErrorReply } from '../../client/index.ts'
import type { Platform } from '../../kernel/index.ts'
import type { Discretion } from './discretion.ts'
import { isClosed } from './errors.ts'
import { isInItsName } from './forwarded.ts'
import { Health, type HealthOptions } from './health.ts'
import { callerOf, type Holding } from './holder.ts'

export interface OwnHealthOptions {
  readonly name: string
  readonly platform: Platform
  readonly discretion: Discretion
  /** What would help somebody whom the upstream has refused in the name of the gateway. */
  readonly help: Pick<HealthOptions, 'signIn' | 'advise'>
  /** Of how many clients it is remembered. */
  readonly most: number
  /** Told when a client's own connection could not be made, which others may find out as well. */
  readonly failed: () => void
}

/** How it is for clients whose own connections cannot be made: that says nothing of those of others. */
export class OwnHealth {
  readonly #options: OwnHealthOptions
  readonly #sick = new Map<string, Health>()

  constructor(options: OwnHealthOptions) {
    this.#options = options
  }

  /** Throws where a client's own connection is not to be tried yet. */
  check(holding: Holding): void {
    const refusal = this.#sick.get(callerOf(holding))?.refusal('unreachable')
    if (refusal !== undefined) throw refusal
  }

  /** Connects for a client; who cannot be connected is left alone for longer each time. */
  async connect(holding: Holding, connect: () => Promise<Client>): Promise<Client> {
    const key = callerOf(holding)
    try {
      const client = await connect()
      this.#forget(key)
      return client
    } catch (thrown) {
      const isOurs = !(thrown instanceof ClientError || thrown instanceof ErrorReply) || isClosed(thrown)
      if (isOurs) throw thrown
      const error = asRefused(this.#options.discretion.of(thrown, holding.forwarded))
      if (!isInItsName(error, holding.forwarded)) this.#options.failed()
      const health = this.#of(key, holding)
      const brief = health.sick(error)
      throw health.refusal(error.reason) ?? new ClientError(error.reason, brief)
    }
  }

  /** There is reason to think that all can be connected now. */
  clear(): void {
    for (const key of [...this.#sick.keys()]) this.#forget(key)
  }

  #of(key: string, { forwarded }: Holding): Health {
    const known = this.#sick.get(key)
    if (known !== undefined) return known
    const { help, most, ...options } = this.#options
    const [oldest] = this.#sick.keys()
    if (oldest !== undefined && this.#sick.size >= most) this.#forget(oldest)
    const isInItsName = forwarded?.['authorization'] !== undefined // Who is not helped by what the gateway could do in its own.
    const health = new Health({ ...options, ...(isInItsName ? {} : help), retry: () => {} })
    this.#sick.set(key, health)
    return health
  }

  #forget(key: string): void {
    this.#sick.get(key)?.close()
    this.#sick.delete(key)
  }
}

function asRefused(error: unknown): ClientError {
  return error instanceof ClientError ? error : new ClientError('refused', (error as Error).message) // What is thrown is an error.
}
