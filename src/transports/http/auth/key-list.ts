import { text as checkText, describe, isObject, suggest } from '../../../kernel/index.ts'
import { sha256 } from './digest.ts'

/** Whose key it is, and what it opens. */
interface Named {
  /** Stands for the key wherever the key itself must not be seen. */
  readonly name: string
  /** What whoever has the key may use; without any, everything. */
  readonly scopes?: readonly string[]
}

/** A key as it was given out. */
export interface PlainKey extends Named {
  readonly key: string
}

/** A key of which only the digest is kept. */
export interface DigestedKey extends Named {
  /** In hex. */
  readonly sha256: string
}

/** A key, or no more of it than is needed to know it again. */
export type ApiKey = PlainKey | DigestedKey

/**
 * Reads `name=key` or `name=key:scope+scope`, separated by commas, or one key without a name; `where` is named in errors.
 * @example apiKeys({ keys: parseKeys('ann=k1,bob=k2:files+moon') })
 */
export function parseKeys(text: string, where = 'keys'): readonly DigestedKey[] {
  checkText(text, where)
  const trimmed = text.trim()
  if (trimmed === '') throw new Error(`${where}: expected name=key, or one key alone; got nothing`)
  if (/^[^=,]+$/.test(trimmed) || isPadded(trimmed)) return parseKey(trimmed, where)
  return trimmed.split(',').map((entry, index) => parseEntry(entry.trim(), `${where}: entry ${index + 1}`))
}

/** Reads a text that is one key from end to end. */
export function parseKey(text: string, where = 'keys'): readonly DigestedKey[] {
  return [toDigest({ name: 'default', key: text.trim() }, where)]
}

/**
 * Reads a JSON array of `{ name, key, scopes? }`, where `sha256` may stand in place of `key`.
 * @example apiKeys({ keys: parseKeyFile('[{ "name": "ann", "key": "k1", "scopes": ["files"] }]') })
 */
export function parseKeyFile(json: string, where = 'keys'): readonly DigestedKey[] {
  const entries = parseJson(json, where)
  if (!Array.isArray(entries) || entries.length === 0) {
    throw new Error(`${where}: expected an array of objects with name and key`)
  }
  return entries.map((entry: unknown, index) => checkEntry(entry, `${where}[${index}]`))
}

function toDigest(entry: ApiKey, where: string): DigestedKey {
  const { name, scopes } = entry
  if (!/^[A-Za-z0-9_.@-]{1,64}$/.test(name)) {
    throw new Error(`${where}: a name may have 1 to 64 of A-Z a-z 0-9 _ . @ -`)
  }
  if (scopes?.some((scope) => !SCOPE.test(scope)) === true) {
    throw new Error(`${where}: a scope may have no spaces, quotes or backslashes, and must not be empty`)
  }
  return { name, sha256: digestOf(entry, where), ...(scopes !== undefined && { scopes }) }
}

/** Base64 of 16 bytes or more may end in =; anything shorter is taken for a name whose key was forgotten. */
function isPadded(text: string): boolean {
  return /^[A-Za-z0-9+/_-]{22,}={1,2}$/.test(text) && text.length % 4 === 0
}

/** RFC 6749, 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/

function digestOf(entry: ApiKey, where: string): string {
  if ('sha256' in entry) {
    if (!/^[0-9a-f]{64}$/i.test(entry.sha256)) throw new Error(`${where}: sha256: expected 64 hex digits`)
    return entry.sha256.toLowerCase()
  }
  if (!/^[\x21-\x7e]+$/.test(entry.key)) {
    throw new Error(`${where}: a key must not be empty, and may have visible ASCII letters only`)
  }
  return sha256(entry.key).toString('hex')
}

/** The key ends at the first colon, because scopes have colons too. */
function parseEntry(entry: string, where: string): DigestedKey {
  const [, name, key, scopes] = /^([^=]*)=([^:]*)(?::(.*))?$/s.exec(entry) ?? []
  if (name === undefined || key === undefined) throw new Error(`${where}: expected name=key`)
  if (/^=*$/.test(key)) {
    throw new Error(`${where}: the key is empty; write a key that ends in = as default=<key>`)
  }
  return toDigest({ name, key, ...(scopes !== undefined && { scopes: scopes.split('+') }) }, where)
}

/** The words of JSON.parse itself would quote the file. */
function parseJson(json: string, where: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new Error(`${where}: the file is not JSON`)
  }
}

const MEMBERS = ['name', 'key', 'sha256', 'scopes']

/** What it throws says where a key is wrong, and never what it is. */
export function checkEntry(entry: unknown, where: string): DigestedKey {
  if (!isObject(entry))
    throw new Error(
      `${where}: expected { name, key } or { name, sha256 }, got ${typeof entry === 'string' ? 'a string' : describe(entry)}`,
    )
  const { name, key, sha256: digest, scopes } = entry
  const unknown = Object.keys(entry).find((member) => !MEMBERS.includes(member))
  if (unknown !== undefined) {
    const nearest = suggest(unknown, MEMBERS) // The name itself may be a key.
    const hint = MEMBERS.includes(nearest) ? `. Did you mean ${nearest}?` : ''
    throw new Error(`${where}: expected no other members than ${MEMBERS.join(', ')}${hint}`)
  }
  if (typeof name !== 'string') throw new Error(`${where}.name: expected a string`)
  if (scopes !== undefined && !isStrings(scopes))
    throw new Error(`${where}.scopes: expected an array of strings`)
  const named: Named = { name, ...(scopes !== undefined && { scopes }) }
  if (typeof key === 'string' && digest === undefined) return toDigest({ ...named, key }, where)
  if (typeof digest === 'string' && key === undefined) return toDigest({ ...named, sha256: digest }, where)
  throw new Error(`${where}: expected either key or sha256, a string`)
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
