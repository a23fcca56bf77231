import { readFileSync } from 'node:fs'
import { makeFolderOf, underLock, writePrivate } from '../../../confined/private-file.ts'
import { isObject } from '../../../kernel/index.ts'

/** How this program is known to an authorization server. */
export interface RegisteredClient {
  readonly id: string
  readonly secret?: string
  readonly redirect: string
  /** Whether it was registered by us, and can be again. */
  readonly registered: boolean
}

/** Somebody who has signed in to an upstream; without tokens, somebody who has to do so again. */
export interface SignedIn {
  readonly issuer: string
  readonly tokenEndpoint: string
  readonly revocationEndpoint?: string
  readonly resource: string
  readonly client: RegisteredClient
  readonly access?: string
  readonly refresh?: string
  /** When the access token is to be made anew, in milliseconds since 1970: a while before it expires. */
  readonly renew?: number
  readonly scope?: string
}

/** By the name of an upstream and its address: a token never goes to another address than it was made for. */
export interface TokenBook {
  readonly [place: string]: SignedIn
}

export function placeOf(name: string, url: string | URL): string {
  return `${name} ${new URL(url).href}`
}

const VERSION = 1

/** Long enough for another process to have asked an authorization server. */
const PATIENCE_MS = 30_000

export function readTokens(path: string): TokenBook {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
  const value = parse(text)
  const book = isObject(value) && value['version'] === VERSION ? value['tokens'] : undefined
  if (isObject(book) && Object.values(book).every(isSignedIn)) return book as unknown as TokenBook // As just looked at.
  throw new Error(`${path} is no file of tokens: remove it, and sign in again`)
}

/** What cannot be parsed is not quoted: it may hold tokens. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isSignedIn(value: unknown): boolean {
  const { issuer, tokenEndpoint, client } = isObject(value) ? value : {}
  return typeof issuer === 'string' && typeof tokenEndpoint === 'string' && isObject(client)
}

/** Reads, changes and writes it while no other process does. */
export async function changeTokens(
  path: string,
  change: (book: TokenBook) => TokenBook | Promise<TokenBook>,
): Promise<TokenBook> {
  await makeFolderOf(path)
  const write = async () => {
    const before = readTokens(path)
    const after = await change(before)
    if (after !== before)
      await writePrivate(path, `${JSON.stringify({ version: VERSION, tokens: after }, null, 2)}\n`)
    return after
  }
  return underLock(path, write, PATIENCE_MS)
}
