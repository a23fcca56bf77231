import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { makeFolderOf, takeLock, underLock, writePrivate } from '../../../confined/private-file.ts'
import { readPlainFile } from '../../../confined/read-plain-file.ts'
import { isObject, parseJson } from '../../../kernel/index.ts'
import type { AuthMethod } from './client-auth.ts'

/** How this program is known to an authorization server. */
export interface RegisteredClient {
  readonly id: string
  readonly secret?: string
  /** How it says that it is this one. */
  readonly method?: AuthMethod
  /** Until when it is known by that, in milliseconds since 1970, where that ends. */
  readonly until?: number
  /** Where a browser comes back to; there is none where no person signs in. */
  readonly redirect?: string
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
  /** Until when it is taken. */
  readonly expires?: number
  readonly scope?: string
  /** What the settings named of a program that signs in without a person. */
  readonly asked?: { readonly scope?: string; readonly issuer?: string }
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

/** Runs while no other process has tokens of this place made anew, which may take long: the file is free meanwhile. */
export async function underPlace<Result>(
  path: string,
  place: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const release = await holdPlace(path, place)
  try {
    return await run()
  } finally {
    await release()
  }
}

async function holdPlace(path: string, place: string): Promise<() => Promise<void>> {
  const name = createHash('sha256').update(place).digest('hex').slice(0, 16)
  try {
    await makeFolderOf(path)
    return await takeLock(`${path}.${name}`, PATIENCE_MS)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return async () => {} // Where nothing can be written, nobody else has a lock either.
  }
}

export function readTokens(path: string): TokenBook {
  let text: string
  try {
    text = readPlainFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
  const value = parseJson(text) // It may hold tokens, and is not quoted.
  const book = isObject(value) && value['version'] === VERSION ? value['tokens'] : undefined
  if (isObject(book) && Object.values(book).every(isSignedIn)) return book as unknown as TokenBook // As just looked at.
  throw new Error(`${path} is no file of tokens. Remove it, and sign in again`)
}

function isSignedIn(value: unknown): boolean {
  const { issuer, tokenEndpoint, client } = isObject(value) ? value : {}
  return typeof issuer === 'string' && typeof tokenEndpoint === 'string' && isObject(client)
}

/** Reads, changes and writes it while no other process does. */
export async function changeTokens(path: string, change: (book: TokenBook) => TokenBook): Promise<TokenBook> {
  await makeFolderOf(path)
  const real = await realpath(path).catch(() => path) // A link to a file elsewhere stays one.
  return underLock(path, async () => {
    const before = readTokens(path)
    const after = change(before)
    if (after !== before)
      await writePrivate(real, `${JSON.stringify({ version: VERSION, tokens: after }, null, 2)}\n`)
    return after
  })
}
