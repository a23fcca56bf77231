/** Shorter ones stand in every text, and are no secrets. */
const SHORTEST = 4

/** Shorter ones stand within other words, and count as words of their own alone. */
const SHORTEST_WITHIN = 8

/** Of so much of its beginning a longer one is known that was cut off. */
const BEGINNING = 12

/** A secret as it may be written. */
export interface SecretForm {
  /** By what it is known. */
  readonly head: string
  /** What comes after that, as far as it is there. */
  readonly rest: string
  /** Whether it counts where no other word begins before it or goes on after it alone. */
  readonly isWord: boolean
  /** How many characters before it, and after it, hold a part of it. */
  readonly edges: readonly [before: number, after: number]
}

/** A secret with all that it may look like, which is worked out once. */
export interface Secret {
  readonly forms: readonly SecretForm[]
  /** What it is where it is read as a number. */
  readonly number: number | undefined
}

/** What of these is worth hiding. */
export function toSecrets(texts: Iterable<string>): readonly Secret[] {
  return [...new Set(texts)].filter(isSecret).map(toSecret)
}

function isSecret(text: string): boolean {
  return text.length >= SHORTEST && !isPlain(text)
}

/** A word that means the same to everybody, such as those of which an answer is made. */
export function isPlain(text: string): boolean {
  return PLAIN.has(text)
}

const PLAIN: ReadonlySet<string> = new Set(
  `true false null content structuredContent isError _meta type text image audio resource resource_link data blob uri
  mimeType annotations audience user assistant priority lastModified name title description icons size resultType
  complete error message code status`.split(/\s+/),
)

function toSecret(text: string): Secret {
  const printed = /^[-+]?\d+(?:\.\d+)?$/.test(text) ? String(Number(text)) : ''
  const isNumber = printed.length >= SHORTEST
  const known = writtenAs(text)
  const written = [...new Set([...known, ...(isNumber ? [printed] : [])])]
  const isWhole = IS_WORDS.test(text)
  const plain = written.map((one) => {
    const isWord = Math.min(text.length, one.length) < SHORTEST_WITHIN
    return toForm(one, { isWhole, isWord })
  })
  const escaped = escapedAs(known).map((one) =>
    toForm(one, { isWhole, isWord: text.length < SHORTEST_WITHIN }),
  )
  const encoded = [...inHex(text, isWhole), ...written.flatMap((one) => inBase64(one, isWhole))]
  const forms = [...plain, ...escaped, ...encoded]
  return { forms, number: isNumber ? Number(text) : undefined }
}

/** Others begin like these, as all addresses and paths do. */
const IS_WORDS = /\s|^[/.~]|:\/\//

function toForm(
  text: string,
  { isWhole, isWord = false, edges = NO_EDGES }: Partial<SecretForm> & { readonly isWhole: boolean },
): SecretForm {
  const length = isWhole ? text.length : BEGINNING
  return { head: text.slice(0, length), rest: text.slice(length), isWord, edges }
}

const NO_EDGES = [0, 0] as const

/** A text as it is, in an address, in a form and in JSON. */
function writtenAs(text: string): readonly string[] {
  if (/^[\w.-]*$/.test(text)) return [text] // Nobody writes it otherwise.
  return [text, encodeURIComponent(text), asInForm(text), JSON.stringify(text).slice(1, -1)]
}

/** What some write otherwise than we would: slashes in JSON, signs by their numbers there, and those of addresses in small letters. */
function escapedAs(known: readonly string[]): readonly string[] {
  const [, inAddress, inForm, json] = known
  if (inAddress === undefined || inForm === undefined || json === undefined) return []
  const slashed = json.replaceAll('/', '\\/')
  const numbered = [/\//g, /[/+=&<>']/g].flatMap((signs) =>
    [
      json.replace(signs, (sign) => numberOf(sign)),
      json.replace(signs, (sign) => numberOf(sign).toUpperCase()),
    ].map((one) => one.replaceAll('\\U00', '\\u00')),
  )
  const small = [inAddress, inForm].map((one) => one.replace(/%../g, (sign) => sign.toLowerCase()))
  return [...new Set([slashed, ...numbered, ...small])].filter((one) => !known.includes(one))
}

function numberOf(sign: string): string {
  return `\\u00${sign.charCodeAt(0).toString(16)}`
}

export function asInForm(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}

function inHex(text: string, isWhole: boolean): readonly SecretForm[] {
  if (text.length < SHORTEST_WITHIN) return []
  const hex = Buffer.from(text).toString('hex')
  return [...new Set([hex, hex.toUpperCase()])].map((one) => toForm(one, { isWhole }))
}

/** What stands in base64 wherever this is within what was encoded: three characters hold four, so that there are three ways. */
function inBase64(text: string, isWhole: boolean): readonly SecretForm[] {
  const padded = Buffer.from(`\0\0${text}`)
  return [0, 1, 2].flatMap((before) => {
    const bytes = padded.subarray(2 - before)
    const [first, end] = [Math.ceil((before * 4) / 3), Math.floor((bytes.length * 4) / 3)]
    const own = bytes.toString('base64').slice(first, end)
    const edges = [Number(before > 0), Number(bytes.length % 3 > 0)] as const
    const safe = own.replaceAll('+', '-').replaceAll('/', '_')
    const written = own === safe ? [own] : [own, safe, encodeURIComponent(own)]
    return written.filter(({ length }) => length >= SHORTEST).map((one) => toForm(one, { isWhole, edges }))
  })
}
