import { hideKeys } from '../middleware/telemetry/key-shapes.ts'
import { isOpaque, redact } from '../middleware/telemetry/redact.ts'
import { withinBase64 } from './base64.ts'

const MASKED = '[masked]'

/** Names of what is nobody else's business. */
const SECRET_NAME =
  /authorization|bearer|cookie|credential|passw|pass[-_ ]?(?:phrase|code)|(?:^|[-_])(?:pass|auth|creds?|pw)$|pwd$|^(?:pin|otp)(?:[-_ ]?code)?$|secret|token|(?:api|access|private|signing|encryption|master|licen[cs]e|ssh|deploy)[-_. ]?key|signature|session[-_ ]?id|code[-_ ]?verifier|jwt|mnemonic|seed[-_ ]?phrase/i

/** Words for how many there are of what sounds like a secret. */
const COUNT = /^(maxTokens|(input|output|total|prompt|completion|estimated)Tokens?|tokens)$/

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
  readonly room: MaskRoom
}

/** How much is looked at of a message: what is beyond that is not shown, since nobody has looked whether it is a secret. */
interface MaskRoom {
  members: number
  characters: number
}

/** More would keep others waiting. */
const MOST: Readonly<MaskRoom> = { members: 20_000, characters: 256 * 1024 }

/** A message, or any plain value, without what is a secret by its name or by its shape. */
export function mask(value: unknown): unknown {
  return maskAt(value, { kind: 'data', depth: 0, room: { ...MOST } })
}

function maskAt(value: unknown, place: Surroundings): unknown {
  if (place.depth > MAX_DEPTH) return MASKED
  if (typeof value === 'string') return maskString(value, place)
  if (Array.isArray(value)) return maskList(value, place)
  if (typeof value === 'object' && value !== null) return maskMembers(value, place)
  return place.kind === 'secret' && typeof value === 'number' ? MASKED : value
}

function maskString(text: string, place: Surroundings): string {
  const { kind, room } = place
  if (kind === 'secret' && text !== '') return MASKED
  if (text.length > room.characters) return `${MASKED} ${text.length} characters`
  room.characters -= text.length
  return maskWords(kind === 'data' && /^\s*[[{]/.test(text) ? maskJson(text, place) : text, place)
}

/** What is encoded is text as well, and stays encoded. */
function maskEncoded(word: string, { depth, room }: Surroundings): string {
  if (--room.members < 0) return MASKED
  return withinBase64(word, (plain) => String(maskAt(plain, { kind: 'data', depth: depth + 1, room })))
}

/** JSON in a text is looked into; where nothing is found in it, it stays as it was written. */
function maskJson(text: string, { depth, room }: Surroundings): string {
  try {
    const value: unknown = JSON.parse(text)
    const masked = JSON.stringify(maskAt(value, { kind: 'data', depth: depth + 1, room }))
    return masked === JSON.stringify(value) ? text : masked
  } catch {
    return text // It only begins like JSON, or is too deep for anybody to have written it.
  }
}

/** In a pair the first may name the second, and a flag what comes after it. */
function maskList(list: readonly unknown[], { kind, depth, room }: Surroundings): readonly unknown[] {
  const names = (before: unknown) => isName(before) && (list.length === 2 || before.startsWith('-'))
  const masked: unknown[] = []
  for (const [at, one] of list.entries()) {
    if (--room.members < 0) return [...masked, `${MASKED} ${list.length - at} more`]
    const named = kind === 'data' && names(list[at - 1])
    masked.push(maskAt(one, { kind: named ? 'secret' : kind, depth: depth + 1, room }))
  }
  return masked
}

function isName(text: unknown): text is string {
  return typeof text === 'string' && /^[\w-]{1,64}$/.test(text) && SECRET_NAME.test(text.replace(/^-+/, ''))
}

function maskMembers(value: object, place: Surroundings): object {
  const { depth, room } = place
  const all = Object.keys(value)
  const shown = all.slice(0, Math.max(0, room.members))
  const memberOf = (name: string): unknown => value[name as keyof object] // It is one of its names.
  const names = shown.some((name) => isName(memberOf(name)))
  const members: (readonly [string, unknown])[] = []
  for (const name of shown) {
    if (--room.members < 0) break
    const member = memberOf(name)
    const named = names && /^value$/i.test(name) && place.kind === 'data' // { name: 'API_KEY', value: '…' }
    const kind = named ? 'secret' : kindOf(name, member, place)
    if (isPlain(name, member)) members.push([name, member])
    else if (place.kind !== 'secret' && isEncoded(value, name, member))
      members.push([name, maskEncoded(member, place)])
    else members.push([maskName(name), maskAt(member, { kind, depth: depth + 1, room })])
  }
  const left = all.length - members.length
  if (left > 0) members.push([MASKED, `${left} more`])
  return Object.fromEntries(members) as object
}

/** A name may be a hash, but whoever has put a key there has made a mistake. */
function maskName(name: string): string {
  return hideKeys(name, MASKED)
}

/** What sounds like a secret, or looks like one, and is none. */
function isPlain(name: string, member: unknown): boolean {
  if (typeof member === 'number') return COUNT.test(name) || isOpaque(name)
  return typeof member === 'string' && isOpaque(name)
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
  return maskWords(text, { kind: 'data', depth: 0, room: { ...MOST } })
}

function maskWords(text: string, place: Surroundings): string {
  if (text.length < SHORTEST) return text
  const told = NAMED.test(text) ? redact(text).replace(BESIDE, `$1$2${MASKED}`) : text
  if (!LONG_ENOUGH.test(told)) return told
  return hideKeys(told, MASKED)
    .replace(HEX, MASKED)
    .replace(LONG, (word) => (isKey(word) ? MASKED : maskEncoded(word, place)))
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

const HEX = /\b[\da-fA-F]{32,}\b/g

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
