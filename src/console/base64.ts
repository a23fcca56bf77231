/** A text in base64 after something was done to what it says; as it was where it is none, says bytes, or stays the same. */
export function withinBase64(encoded: string, change: (plain: string) => string): string {
  const plain = decode(encoded)
  if (plain === undefined) return encoded
  const changed = change(plain)
  return changed === plain ? encoded : Buffer.from(changed).toString('base64')
}

/** So much of it tells a picture from a text. */
const BEGINNING = 400

const READER = new TextDecoder('utf-8', { fatal: true })

function decode(encoded: string): string | undefined {
  if (Buffer.from(encoded.slice(0, BEGINNING), 'base64').some(isControl)) return undefined
  try {
    const text = READER.decode(Buffer.from(encoded, 'base64'))
    return CONTROLS.test(text) ? undefined : text
  } catch {
    return undefined // It is no text.
  }
}

/** What no text has; of a byte, as far as one alone can tell. */
const CONTROLS = /(?![\t\n\v\f\r])\p{Cc}/u
const isControl = (byte: number): boolean => byte < 9 || (byte > 13 && byte < 32)
