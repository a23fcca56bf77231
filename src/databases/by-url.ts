/** What each scheme opens, given the rest of its URL. */
export type Openers<Opened> = { readonly [scheme: string]: (rest: string) => Opened }

/** Opens a store by its URL; a wrong one is an Error at once. */
export function openByUrl<Opened>(url: string, openers: Openers<Opened>, expected: string): Opened {
  const scheme = url.slice(0, url.indexOf(':') + 1)
  const open = Object.hasOwn(openers, scheme) ? openers[scheme] : undefined
  if (open === undefined) throw new Error(`store: expected ${expected}, got ${describe(url, scheme)}`)
  return open(url.slice(scheme.length))
}

/** What has no scheme of ours may hold a password, so little of it is repeated. */
function describe(url: string, scheme: string): string {
  if (scheme === '') return `${JSON.stringify(url)}. For a file: sqlite:${url}`
  return `the scheme ${JSON.stringify(scheme)}`
}

/** Something that is opened when it is first used; what could not be opened is tried anew by the next use. */
export class Later<Opened> {
  readonly #open: () => Promise<Opened>
  #opened: Promise<Opened> | undefined

  constructor(open: () => Promise<Opened>) {
    this.#open = open
  }

  get(): Promise<Opened> {
    this.#opened ??= this.#open().catch((error: unknown) => {
      this.#opened = undefined
      throw error
    })
    return this.#opened
  }

  /** It, if it has been used. */
  get used(): Promise<Opened> | undefined {
    return this.#opened
  }
}
