/** Shorter ones stand in every text, and are no secrets. */
const SHORTEST = 4

/** Of so much of its beginning a longer one is known that was cut off. */
const BEGINNING = 12

const HIDDEN = '[…]'

/** A text as it is and as it is written on the way. */
export function formsOf(text: string): readonly string[] {
  return [text, encodeURIComponent(text), asInForm(text), JSON.stringify(text).slice(1, -1)]
}

export function asInForm(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}

/** What is worth hiding, the longest first, since one may be a part of another. */
export function sortSecrets(secrets: Iterable<string>): readonly string[] {
  return [...new Set(secrets)]
    .filter(({ length }) => length >= SHORTEST)
    .toSorted((one, other) => other.length - one.length)
}

/** A text without these, and without the beginnings of them that are long enough to be known. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce(withoutOne, text)
}

function withoutOne(text: string, secret: string): string {
  const head = IS_WORDS.test(secret) ? secret : secret.slice(0, BEGINNING)
  if (!text.includes(head)) return text
  const rest = secret.slice(head.length)
  const [before, ...after] = text.split(head)
  return [before, ...after.map((part) => part.slice(sameLength(part, rest)))].join(HIDDEN)
}

/** Others begin like these, as all addresses and paths do. */
const IS_WORDS = /\s|^[/.~]|:\/\//

function sameLength(one: string, other: string): number {
  let length = 0
  while (length < other.length && one[length] === other[length]) length++
  return length
}

/** What was sent by `Basic`: as it was written, and the password as it was meant. */
export function basicIn(authorization: unknown): readonly string[] {
  const [, basic] = /^Basic ([\w+/=-]+)$/i.exec(String(authorization)) ?? []
  if (basic === undefined) return []
  const said = Buffer.from(basic, 'base64').toString()
  const secret = said.replace(/^[^:]*:/, '')
  return [basic, said, secret, new URLSearchParams(`=${secret}`).get('') ?? '']
}
