import { resolve } from 'node:path'
import { Pace } from '../../../client/pace.ts'
import { followFile } from '../../../confined/follow-file.ts'
import type { Platform } from '../../../kernel/index.ts'
import type { PlainHeaders } from '../forwarded.ts'
import type { UpstreamOptions } from '../options.ts'
import { hasAuthorization, signInTo } from './advice.ts'
import { isAsked, otherwise } from './asked.ts'
import { isAlone, type SignInSettings } from './settings.ts'
import { changeTokens, placeOf, readTokens, type SignedIn, type TokenBook, underPlace } from './token-book.ts'
import { explainSignIn } from './told.ts'

/** How long whoever gives tokens is left alone that has given none. */
const REST_MS = 5000

/** How long after a file could not be written that is tried again. */
const KEEPING = { firstMs: 2000, longestMs: 60_000 }

/** How long a token is used after those before it were over at once, however short it is said to last. */
const RENEWING = { firstMs: 1000, longestMs: 60_000, atOnce: true }

export interface TokensOptions {
  readonly path: string
  readonly upstream: string
  readonly url: string | URL
  readonly settings: SignInSettings | undefined
  /** What one types to sign in, where a person does. */
  readonly signIn: string | undefined
  readonly platform: Pick<Platform, 'now' | 'after'>
  readonly note: (message: string) => void
  /** Told when somebody has signed in or out. */
  readonly changed: () => void
}

/** What the file does not have yet, and what it had before. */
interface Unkept {
  readonly before: SignedIn | undefined
  readonly after: SignedIn
}

/** The tokens of one upstream, in a file which other servers and the command that signs in may use at once. */
export class Tokens {
  readonly #options: TokensOptions
  readonly #path: string
  readonly #place: string
  /** How one signs in without a person, where that is so. */
  readonly #alone: SignInSettings | undefined
  readonly #endFollow: () => void
  #signed: SignedIn | undefined
  #unkept: Unkept | undefined
  readonly #keeping: Pace
  readonly #renewing: Pace
  #callOff: () => void = () => {}
  #isClosed = false
  #refreshing: Promise<void> | undefined
  /** Why there is no new token. */
  #trouble: string | undefined
  /** Until when nobody is asked for one. */
  #rests = 0

  /** Where there is a file that cannot be read, whoever needs a token of it is told. */
  constructor(options: TokensOptions) {
    this.#options = options
    this.#keeping = new Pace({ ...KEEPING, now: options.platform.now })
    this.#renewing = new Pace({ ...RENEWING, now: options.platform.now })
    this.#path = resolve(options.path)
    this.#place = placeOf(options.upstream, options.url)
    this.#alone = isAlone(options.settings) ? options.settings : undefined
    this.#endFollow = followFile(this.#path, this.#look)
    try {
      this.#signed = this.#foundIn(readTokens(this.#path))
    } catch (error) {
      this.#trouble = (error as Error).message
    }
    this.#compare()
  }

  /** What an upstream is told; asked again where it was not content with that, or with what it was told before. */
  readonly headers = (challenge?: string, refused?: PlainHeaders): PlainHeaders | Promise<PlainHeaders> => {
    const { renew, expires = renew, access } = this.#signed ?? {}
    const isRefused =
      challenge !== undefined && refused?.['authorization'] === this.#authorization['authorization']
    if (!isRefused && !this.#isPast(renew)) return this.#authorization
    const renewed = this.#refresh(access)
    return isRefused || this.#isPast(expires) ? renewed.then(() => this.#authorization) : this.#authorization
  }

  get #authorization(): PlainHeaders {
    const { access } = this.#signed ?? {}
    return access === undefined ? {} : { authorization: `Bearer ${access}` }
  }

  close(): void {
    this.#isClosed = true
    this.#callOff()
    this.#endFollow()
  }

  /** What was granted, as far as that is known, and why nothing else was. */
  get state(): { readonly scope: string | undefined; readonly trouble: string | undefined } {
    return {
      scope: this.#signed?.access === undefined ? undefined : this.#signed.scope,
      trouble: this.#trouble,
    }
  }

  #isPast(time: number | undefined): boolean {
    const canRenew = this.#signed?.refresh !== undefined || this.#alone !== undefined
    return canRenew && time !== undefined && time <= this.#options.platform.now()
  }

  /** Once for all who wait, and not again for a while where that was of no use. */
  #refresh(used: string | undefined): Promise<void> {
    const isNobody = used === undefined && this.#alone === undefined
    if (isNobody || this.#options.platform.now() < this.#rests) return Promise.resolve()
    this.#refreshing ??= this.#exchange(used).finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  async #exchange(used: string | undefined): Promise<void> {
    const { note, upstream, platform } = this.#options
    const alone = this.#alone
    try {
      await (alone === undefined ? this.#renew(used) : this.#signIn(used, alone))
      this.#trouble = undefined
      this.#rests = platform.now() + this.#renewing.next()
    } catch (error) {
      this.#trouble = explainSignIn(error)
      this.#rests = platform.now() + REST_MS
      const what = alone === undefined ? 'the token could not be renewed' : 'it could not be signed in to'
      note(`${upstream}: ${what}: ${this.#trouble}`)
    }
  }

  /** What is kept for somebody who asks otherwise is left to them, and what could not be kept is newer. */
  #foundIn({ [this.#place]: kept }: TokenBook): SignedIn | undefined {
    if (this.#unkept !== undefined && areSame(kept, this.#unkept.before)) return this.#signed
    return kept === undefined || isAsked(kept, this.#alone) ? kept : this.#signed
  }

  /** Another process may have done it meanwhile, whose token is then taken; whoever signs in or out counts before it. */
  async #renew(used: string | undefined): Promise<void> {
    const { refresh } = await import('./grants.ts')
    await underPlace(this.#path, this.#place, async () => {
      const before = this.#foundIn(readTokens(this.#path))
      this.#signed = before
      if (before === undefined || before.access !== used) return
      await this.#keep(before, await refresh(before, this.#options.platform.now()))
    })
  }

  /** Others may do so at once, who are given tokens of their own: nobody waits for that. */
  async #signIn(used: string | undefined, settings: SignInSettings): Promise<void> {
    const book = readTokens(this.#path)
    const ready = this.#foundIn(book)
    this.#signed = ready
    if (ready?.access !== undefined && ready.access !== used) return
    const { signInAlone } = await import('./sign-in-alone.ts')
    const { url, platform } = this.#options
    const before = book[this.#place]
    await this.#keep(before, await signInAlone({ url: new URL(url), settings, before, now: platform.now() }))
  }

  /** It counts at once, also where it cannot be written down yet; somebody may have signed in or out meanwhile. */
  async #keep(from: SignedIn | undefined, after: SignedIn): Promise<void> {
    const { before } = this.#unkept ?? { before: from }
    this.#signed = after
    this.#callOff()
    try {
      const book = await changeTokens(this.#path, (now) =>
        areSame(now[this.#place], before) ? { ...now, [this.#place]: after } : now,
      )
      this.#unkept = undefined
      this.#signed = this.#foundIn(book)
    } catch (error) {
      this.#keepLater({ before, after }, error as Error)
    }
  }

  #keepLater(unkept: Unkept, { message }: Error): void {
    const { note, upstream, platform } = this.#options
    const what = 'what was granted is used, and could not be kept, which is tried again'
    if (this.#unkept === undefined) note(`${upstream}: ${what}: ${message}`)
    this.#unkept = unkept
    if (!this.#isClosed)
      this.#callOff = platform.after(this.#keeping.next(), () => void this.#keep(unkept.before, unkept.after))
  }

  /** A person may have said something else at the terminal, or have changed the settings since. */
  #compare(): void {
    const { settings, note, upstream, signIn } = this.#options
    if (this.#signed === undefined || settings === undefined || this.#alone !== undefined) return
    const difference = otherwise(this.#signed, settings)
    if (difference !== undefined) note(`${upstream}: ${difference}. To change that: ${signIn}`)
  }

  readonly #look = (): void => {
    const before = this.#signed?.access
    try {
      this.#signed = this.#foundIn(readTokens(this.#path))
    } catch (error) {
      return this.#options.note((error as Error).message)
    }
    if (this.#signed?.access === before) return
    this.#trouble = undefined
    this.#rests = 0
    this.#compare()
    this.#options.changed()
  }
}

function areSame(one: SignedIn | undefined, other: SignedIn | undefined): boolean {
  return one?.access === other?.access && one?.refresh === other?.refresh
}

export function openTokens(
  upstream: UpstreamOptions,
  options: Omit<TokensOptions, 'path' | 'url' | 'settings' | 'signIn'>,
): Tokens | undefined {
  const { tokens: path, url, oauth } = upstream
  if (path === undefined || url === undefined || hasAuthorization(upstream)) return undefined
  return new Tokens({
    ...options,
    path,
    url,
    settings: oauth,
    signIn: signInTo(options.upstream, upstream, 'operator'),
  })
}
