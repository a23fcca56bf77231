import { redact } from '../middleware/telemetry/redact.ts'

const MASKED = '[masked]'

/** Names of what is nobody else's business. */
const SECRET_NAME =
  /authorization|bearer|cookie|credential|passw|passphrase|passcode|pwd$|^pin$|^otp$|secret|token|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|signing[-_ ]?key|encryption[-_ ]?key|signature|session[-_ ]?id|jwt/i

/** Words of the protocol that sound like secrets, or look like them, and are none. */
const NO_SECRET =
  /^(progressToken|maxTokens|(input|output|total|prompt|completion|estimated)Tokens?|tokens|cursor|nextCursor|requestState|requestId|taskId|relatedTask)$/

/** In these, names are names of fields that somebody may fill in, and not of what was filled in. */
const SCHEMA = /^(inputSchema|outputSchema|requestedSchema)$/

/** What a schema says of values, rather than of fields. */
const SCHEMA_VALUE = /^(default|const|enum|examples)$/

/** Deeper than any message that somebody has written by hand. */
const MAX_DEPTH = 100

interface Surroundings {
  /** What is here, as far as its name says. */
  readonly kind: 'data' | 'schema' | 'secret'
  readonly depth: number
}

/** A message, or any plain value, without what is a secret by its name or by its shape. */
export function mask(value: unknown): unknown {
  return maskAt(value, { kind: 'data', depth: 0 })
}

function maskAt(value: unknown, place: Surroundings): unknown {
  if (place.depth > MAX_DEPTH) return MASKED
  if (typeof value === 'string') return place.kind === 'secret' && value !== '' ? MASKED : maskText(value)
  if (Array.isArray(value)) return value.map((one) => maskAt(one, inside(place)))
  if (typeof value === 'object' && value !== null) return maskMembers(value, place)
  return place.kind === 'secret' && typeof value === 'number' ? MASKED : value
}

function inside({ kind, depth }: Surroundings): Surroundings {
  return { kind, depth: depth + 1 }
}

function maskMembers(value: object, place: Surroundings): object {
  const bytes = 'mimeType' in value // Pictures and files are long, and no keys.
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => {
    if (NO_SECRET.test(name) || (bytes && /^(data|blob)$/.test(name))) return [name, member]
    return [name, maskAt(member, { kind: kindOf(name, place), depth: place.depth + 1 })]
  })
  return Object.fromEntries(members) as object
}

function kindOf(name: string, { kind }: Surroundings): Surroundings['kind'] {
  if (kind === 'secret') return 'secret'
  if (SCHEMA.test(name)) return 'schema'
  if (kind === 'schema') return SCHEMA_VALUE.test(name) ? 'data' : 'schema'
  return SECRET_NAME.test(name) ? 'secret' : 'data'
}

/** A text without what is recognisably a secret in it. */
export function maskText(text: string): string {
  if (text.length < SHORTEST) return text
  const told = NAMED.test(text) ? redact(text) : text
  if (!LONG_ENOUGH.test(told)) return told
  return told.replace(SHAPE, MASKED).replace(LONG, (word) => (isKey(word) ? MASKED : word))
}

/** Nothing that has a shape is shorter. */
const SHORTEST = 8

/** Without one of these no text names what is in it. */
const NAMED = /[:=@]|\b(?:bearer|basic)\b/i

/** Nor has anything a shape without one of these, and most texts have none. */
const LONG_ENOUGH = /[\w-]{11}|-----/

const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/,
  /\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/, // A JSON Web Token.
  /\bsk-[\w-]{16,}/,
  /\b[rsp]k_(?:live|test)_\w{8,}/,
  /\bgh[opsur]_\w{16,}|\bgithub_pat_\w{16,}|\bglpat-[\w-]{16,}/,
  /\bxox[a-z]-[\w-]{8,}|\bxapp-[\w-]{8,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/,
  /\bAIza[\w-]{30,}|\bya29\.[\w-]{16,}/,
  /\bnpm_\w{30,}|\bhf_\w{30,}|\bdop_v1_\w{30,}|\bSG\.[\w-]{16,}\.[\w-]{16,}/,
  /\b[\da-fA-F]{32,}\b/,
]

/** All of them are looked for in one go. */
const SHAPE = new RegExp(SHAPES.map(({ source }) => source).join('|'), 'g')

/** A word that is long enough to be a key. */
const LONG = /[\w+/-]{40,}={0,2}/g

/** Keys are mixed; what people write has few digits, and slashes or dashes between its words. */
function isKey(word: string): boolean {
  const digits = word.replace(/\D/g, '').length
  return digits >= 3 && /[a-z]/.test(word) && /[A-Z]/.test(word) && longestPart(word) >= 20
}

function longestPart(word: string): number {
  return Math.max(...word.split(/[/_-]/).map((part) => part.length))
}
