import { unwatchFile, watchFile } from 'node:fs'
import { resolve } from 'node:path'
import type { Platform } from '../../../kernel/index.ts'
import type { PlainHeaders } from '../forwarded.ts'
import type { UpstreamOptions } from '../options.ts'
import { hasAuthorization } from './advice.ts'
import { changeTokens, placeOf, readTokens, type SignedIn } from './token-book.ts'

/** How often the file is looked at for somebody who has signed in. */
const LOOK_MS = 500

export interface TokensOptions {
  readonly path: string
  readonly upstream: string
  readonly url: string | URL
  readonly platform: Pick<Platform, 'now'>
  readonly note: (message: string) => void
  /** Told when somebody has signed in or out. */
  readonly changed: () => void
}

/** The tokens of one upstream, in a file which other servers and the command that signs in may use at once. */
export class Tokens {
  readonly #options: TokensOptions
  readonly #path: string
  readonly #place: string
  #signed: SignedIn | undefined
  #refreshing: Promise<void> | undefined

  /** Throws where there is a file that cannot be read. */
  constructor(options: TokensOptions) {
    this.#options = options
    this.#path = resolve(options.path)
    this.#place = placeOf(options.upstream, options.url)
    this.#signed = readTokens(this.#path)[this.#place]
    watchFile(this.#path, { interval: LOOK_MS, persistent: false }, this.#look)
  }

  /** What an upstream is told; asked again where it was not content with that. */
  readonly headers = (challenge?: string): PlainHeaders | Promise<PlainHeaders> =>
    challenge !== undefined || this.#isOld()
      ? this.#refresh(this.#signed?.access).then(() => this.#authorization)
      : this.#authorization

  get #authorization(): PlainHeaders {
    const { access } = this.#signed ?? {}
    return access === undefined ? {} : { authorization: `Bearer ${access}` }
  }

  close(): void {
    unwatchFile(this.#path, this.#look)
  }

  #isOld(): boolean {
    const { renew, refresh } = this.#signed ?? {}
    return refresh !== undefined && renew !== undefined && renew <= this.#options.platform.now()
  }

  /** Once for all who wait; another process may have done it meanwhile, whose token is then taken. */
  #refresh(used: string | undefined): Promise<void> {
    if (used === undefined) return Promise.resolve()
    this.#refreshing ??= this.#exchange(used).finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  async #exchange(used: string): Promise<void> {
    const { platform, note, upstream } = this.#options
    try {
      const { refresh } = await import('./grants.ts')
      const book = await changeTokens(this.#path, async (before) => {
        const signed = before[this.#place]
        if (signed === undefined || signed.access !== used) return before
        return { ...before, [this.#place]: await refresh(signed, platform.now()) }
      })
      this.#signed = book[this.#place]
    } catch (error) {
      note(`${upstream}: the token could not be renewed: ${(error as Error).message}`)
    }
  }

  readonly #look = (): void => {
    const before = this.#signed?.access
    try {
      this.#signed = readTokens(this.#path)[this.#place]
    } catch (error) {
      return this.#options.note((error as Error).message)
    }
    if (this.#signed?.access !== before) this.#options.changed()
  }
}

export function openTokens(
  { tokens: path, url, headers }: UpstreamOptions,
  options: Omit<TokensOptions, 'path' | 'url'>,
): Tokens | undefined {
  if (path === undefined || url === undefined || hasAuthorization(headers)) return undefined
  return new Tokens({ ...options, path, url })
}
