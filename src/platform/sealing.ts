import type { Sealer } from '../kernel/index.ts'

/** Loaded when first needed: most servers never seal anything. */
function crypto(): typeof import('node:crypto') {
  const found = globalThis.process?.getBuiltinModule?.('node:crypto')
  if (found !== undefined) return found
  throw new Error(
    'What clients carry for us is sealed with node:crypto: Workers need the flag nodejs_compat to ask',
  )
}

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Seals with the first secret and opens with any, so that secrets can be changed while servers run. */
export function createSealer(secrets: readonly string[]): Sealer {
  let made: readonly Buffer[] | undefined
  const keys = () => {
    made ??= secrets.length > 0 ? secrets.map(toKey) : [crypto().randomBytes(32)]
    return made
  }
  return {
    shared: secrets.length > 0,
    seal: (text, bound) => seal(text, bound, keys()[0] as Buffer), // There is always one.
    open: (sealed, bound) => {
      const bytes = fromBase64url(sealed)
      if (bytes === undefined || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
      for (const key of keys()) {
        const text = open(bytes, bound, key)
        if (text !== undefined) return text
      }
      return undefined
    },
  }
}

function seal(text: string, bound: string, key: Buffer): string {
  const nonce = crypto().randomBytes(NONCE_BYTES)
  const cipher = crypto().createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(bound))
  const closed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), closed]).toString('base64url')
}

function open(bytes: Buffer, bound: string, key: Buffer): string | undefined {
  const tagged = NONCE_BYTES + TAG_BYTES
  try {
    const decipher = crypto().createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(bound)).setAuthTag(bytes.subarray(NONCE_BYTES, tagged))
    return decipher.update(bytes.subarray(tagged), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined // It was not sealed by us, not with this key, or not for this bound.
  }
}

/** Node's decoder skips what is no base64url; a token that was changed must not pass for the one that was not. */
function fromBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

function toKey(secret: string): Buffer {
  return crypto().createHash('sha256').update(secret).digest()
}
