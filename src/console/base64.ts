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
  if (CONTROLS.test(Buffer.from(encoded.slice(0, BEGINNING), 'base64').toString('latin1'))) return undefined
  try {
    const text = READER.decode(Buffer.from(encoded, 'base64'))
    return CONTROLS.test(text) ? undefined : text
  } catch {
    return undefined // It is no text.
  }
}

/** What no text has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROLS = /[\0-\x08\x0e-\x1f]/
