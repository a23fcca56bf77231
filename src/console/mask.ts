import { redact } from '../middleware/telemetry/redact.ts'
import { withinBase64 } from './base64.ts'

const MASKED = '[masked]'

/** Names of what is nobody else's business. */
const SECRET_NAME =
  /authorization|bearer|cookie|credential|passw|pass[-_ ]?(?:phrase|code)|(?:^|[-_])(?:pass|auth|creds?|pw)$|pwd$|^(?:pin|otp)(?:[-_ ]?code)?$|secret|token|(?:api|access|private|signing|encryption|master|licen[cs]e|ssh|deploy)[-_. ]?key|signature|session[-_ ]?id|code[-_ ]?verifier|jwt|mnemonic|seed[-_ ]?phrase/i

/** Words for how many there are of what sounds like a secret. */
const COUNT = /^(maxTokens|(input|output|total|prompt|completion|estimated)Tokens?|tokens)$/

/** Words of the protocol for what only looks like a secret. */
const OPAQUE = /^(progressToken|cursor|nextCursor|requestState|requestId|taskId)$/

/** In these, names are names of fields that somebody may fill in, and not of what was filled in. */
const SCHEMA = /^(inputSchema|outputSchema|requestedSchema)$/

/** What a schema says of values, rather than of fields. */
const SCHEMA_VALUE = /^(default|const|enum|examples)$/

/** Deeper than any message that somebody has written by hand. */
const MAX_DEPTH = 100

interface Surroundings {
  /** What is here, as far as its name says; in a schema, a field may be one for a secret. */
  readonly kind: 'data' | 'schema' | 'secret field' | 'secret'
  readonly depth: number
}

/** A message, or any plain value, without what is a secret by its name or by its shape. */
export function mask(value: unknown): unknown {
  return maskAt(value, { kind: 'data', depth: 0 })
}

function maskAt(value: unknown, place: Surroundings): unknown {
  if (place.depth > MAX_DEPTH) return MASKED
  if (typeof value === 'string') return maskString(value, place)
  if (Array.isArray(value)) return maskList(value, place)
  if (typeof value === 'object' && value !== null) return maskMembers(value, place)
  return place.kind === 'secret' && typeof value === 'number' ? MASKED : value
}

function maskString(text: string, { kind, depth }: Surroundings): string {
  if (kind === 'secret' && text !== '') return MASKED
  return maskWords(kind === 'data' && /^\s*[[{]/.test(text) ? maskJson(text, depth) : text, depth)
}

/** What is encoded is text as well, and stays encoded. */
function maskEncoded(word: string, depth: number): string {
  return withinBase64(word, (plain) => String(maskAt(plain, { kind: 'data', depth: depth + 1 })))
}

/** JSON in a text is looked into; where nothing is found in it, it stays as it was written. */
function maskJson(text: string, depth: number): string {
  try {
    const value: unknown = JSON.parse(text)
    const masked = JSON.stringify(maskAt(value, { kind: 'data', depth: depth + 1 }))
    return masked === JSON.stringify(value) ? text : masked
  } catch {
    return text // It only begins like JSON, or is too deep for anybody to have written it.
  }
}

/** In a pair the first may name the second, and a flag what comes after it. */
function maskList(list: readonly unknown[], { kind, depth }: Surroundings): readonly unknown[] {
  const names = (before: unknown) =>
    typeof before === 'string' && isName(before) && (list.length === 2 || before.startsWith('-'))
  return list.map((one, at) => {
    const named = kind === 'data' && names(list[at - 1])
    return maskAt(one, { kind: named ? 'secret' : kind, depth: depth + 1 })
  })
}

function isName(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text) && SECRET_NAME.test(text.replace(/^-+/, ''))
}

function maskMembers(value: object, place: Surroundings): object {
  const names = Object.entries(value).some(([, member]) => typeof member === 'string' && isName(member))
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => {
    if (isPlain(name, member)) return [name, member]
    if (place.kind !== 'secret' && isEncoded(value, name, member))
      return [name, maskEncoded(member, place.depth)]
    const named = names && /^value$/i.test(name) && place.kind === 'data' // { name: 'API_KEY', value: '…' }
    const kind = named ? 'secret' : kindOf(name, member, place)
    return [maskName(name), maskAt(member, { kind, depth: place.depth + 1 })]
  })
  return Object.fromEntries(members) as object
}

/** A name may be a hash, but whoever has put a key there has made a mistake. */
function maskName(name: string): string {
  return name.length < SHORTEST ? name : name.replace(KEY_SHAPE, MASKED)
}

/** What sounds like a secret, or looks like one, and is none. */
function isPlain(name: string, member: unknown): boolean {
  if (typeof member === 'number') return COUNT.test(name) || OPAQUE.test(name)
  return typeof member === 'string' && OPAQUE.test(name)
}

/** Pictures and files are long, and no keys. */
function isEncoded(value: object, name: string, member: unknown): member is string {
  const isContent = 'mimeType' in value ? /^(data|blob)$/.test(name) : name === 'blob' && 'uri' in value
  return isContent && typeof member === 'string' && /^[\w+/=\s-]*$/.test(member)
}

function kindOf(name: string, member: unknown, { kind }: Surroundings): Surroundings['kind'] {
  if (kind === 'secret') return 'secret'
  const isSecret = SECRET_NAME.test(name)
  if (kind === 'data') return SCHEMA.test(name) ? 'schema' : isSecret ? 'secret' : 'data'
  if (SCHEMA_VALUE.test(name)) return kind === 'schema' ? 'data' : 'secret'
  if (!isSecret) return kind
  return typeof member === 'string' ? 'secret' : 'secret field' // What describes a field is no text.
}

/** A text without what is recognisably a secret in it. */
export function maskText(text: string): string {
  return maskWords(text, 0)
}

function maskWords(text: string, depth: number): string {
  if (text.length < SHORTEST) return text
  const told = NAMED.test(text) ? redact(text).replace(BESIDE, `$1$2${MASKED}`) : text
  if (!LONG_ENOUGH.test(told)) return told
  return told
    .replace(SHAPE, MASKED)
    .replace(LONG, (word) => (isKey(word) ? MASKED : maskEncoded(word, depth)))
}

/** Nothing that has a shape is shorter. */
const SHORTEST = 8

/** Without one of these no text names what is in it. */
const NAMED = /[:=@<]|--|\b(?:bearer|basic)\b/i

/** What follows a flag, what `curl -u` has after a name, and what an element of XML holds. */
const BESIDE =
  /((?<![\w-])--?[\w-]{0,32}(?:passw|secret|token|api-?key)[\w-]{0,32}[ \t]+|[ \t]-u[ \t]+[^\s:]{1,64}:)[^\s<[]\S*|(<[\w:.-]{0,32}(?:passw|secret|token|api[-_]?key)[\w:.-]{0,32}>)[^<]+(?=<\/)/gi

/** Nor has anything a shape without one of these, and most texts have none. */
const LONG_ENOUGH = /[\w+/-]{11}|-----/

const KEY_SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/,
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/, // A JSON Web Token; one that began at each dash would take for ever.
  /\bsk-[\w-]{16,}/,
  /\b[rsp]k_(?:live|test)_\w{8,}/,
  /\bgh[opsur]_\w{16,}|\bgithub_pat_\w{16,}|\bglpat-[\w-]{16,}/,
  /\bxox[a-z]-[\w-]{8,}|\bxapp-[\w-]{8,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/,
  /\bAIza[\w-]{30,}|\bya29\.[\w-]{16,}/,
  /\b(?:whsec|shp(?:at|ss|ca)|dckr_pat|lin_api|figd)_[\w-]{16,}|\bpypi-[\w-]{16,}|\b\d{8,10}:AA[\w-]{30,}/,
  /\bnpm_\w{30,}|\bhf_\w{30,}|\bdop_v1_\w{30,}|\bSG\.[\w-]{16,}\.[\w-]{16,}/,
]
const HEX = /\b[\da-fA-F]{32,}\b/

/** All of them are looked for in one go. */
const anyOf = (shapes: readonly RegExp[]) => new RegExp(shapes.map(({ source }) => source).join('|'), 'g')
const KEY_SHAPE = anyOf(KEY_SHAPES)
const SHAPE = anyOf([...KEY_SHAPES, HEX])

/** A word that is long enough to have a secret in it, and to be a key. */
const LONG = /[\w+/-]{20,}={0,2}/g
const LONG_AS_A_KEY = /^[\w+/-]{40}/

/** Keys are mixed; what people write has few digits, and slashes or dashes between its words. */
function isKey(word: string): boolean {
  if (!LONG_AS_A_KEY.test(word)) return false
  const digits = word.replace(/\D/g, '').length
  return digits >= 3 && /[a-z]/.test(word) && /[A-Z]/.test(word) && longestPart(word) >= 20
}

function longestPart(word: string): number {
  return word.split(/[/_-]/).reduce((most, part) => Math.max(most, part.length), 0)
}
