import { cut } from '../../kernel/index.ts'
import { hideKeys } from './key-shapes.ts'
import { hideUserinfo as hideUserinfoAs } from './userinfo.ts'

/** Names of things that are nobody else's business. */
const SECRET_NAME =
  /authorization(?!-server)|bearer|cookie|credential|passw|passphrase|secret|token|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|signature|\bpwd(?==[^/])/i

const REDACTED = '[redacted]'

/** The longest text that is kept of anything. */
const MAX_TEXT = 4096

const MAX_MESSAGE = 512

/** Names are short where they are honest. */
const MAX_NAME = 128

/** More is not even looked at. */
const MAX_READ = 8192

/** What may quote a peer, as it is told: secrets are taken out first, since half of one looks like none. */
export function tellText(text: string, most: number = MAX_MESSAGE): string {
  const told = redact(text.length > MAX_READ ? cut(text, MAX_READ) : text)
  return told.length > most ? cut(told, most) : told
}

/** What a peer calls itself or anything else, as it is told: short, and without secrets. Who writes it escapes the rest. */
export function tellName(name: string): string {
  if (name.length <= MAX_NAME && PLAIN.test(name)) return hideKeys(name, REDACTED)
  return tellText(name, MAX_NAME)
}

/** Nearly every name; without a space, a colon, an equals sign or an @ a secret is recognised by its shape alone. */
const PLAIN = /^[\w./-]*$/

/** Takes out what is recognisably a credential: by the word before it, its name, its place in an address, or its shape. */
export function redact(text: string): string {
  const told = hideUserinfo(text)
    .replace(/\b(bearer|basic)\s+[^\s"',;\\]+/gi, `$1 ${REDACTED}`)
    .replace(/\b(cookie\s{0,8}:\s{0,8})[^\s"'\\][^\r\n"'\\]*/gi, `$1${REDACTED}`)
    .replace(/([?&](?:key|sig)=)[^&#\s]*/gi, `$1${REDACTED}`)
  return hideKeys(redactValues(told), REDACTED)
}

/** Takes out who asks of an address, and of what was meant to be one; the words in our own advice stay. */
export function hideUserinfo(text: string): string {
  return hideUserinfoAs(text, REDACTED)
}

/** Words of the protocol for what only sounds like a secret. */
const OPAQUE = 'progressToken|cursor|nextCursor|requestState|requestId|taskId'

const OPAQUE_NAME = new RegExp(`^(?:${OPAQUE})$`)

/** Whether it is the name of what peers hand back to each other as it is. */
export function isOpaque(name: string): boolean {
  return OPAQUE_NAME.test(name)
}

/** What we say of something ourselves, after its name and a colon. */
const OURS = '(?<=: )(?:(?:un)?expected|at (?:most|least)|check both|write it|the variable|servers that) '

/** `name: value`, `name=value`, `"name":"value"`, also where the quotes are themselves quoted: up to the first of them. */
const SECRET_VALUE = new RegExp(
  `\\b(?:${OPAQUE})\\b|((?:${SECRET_NAME.source})[\\w.-]{0,32}\\\\*["']?\\s{0,8}[:=]\\s{0,8})` +
    `(?:(\\\\*["'])|(?!${OURS})([^\\s"'\\\\,;&#}\\]]+))`,
  'gi',
)

function redactValues(text: string): string {
  let [told, done] = ['', 0]
  SECRET_VALUE.lastIndex = 0
  for (let found = SECRET_VALUE.exec(text); found !== null; found = SECRET_VALUE.exec(text)) {
    const [, name, quote = '', bare = ''] = found
    // The word before a credential is none, and what has been taken out is out.
    if (name === undefined || /^(bearer|basic|\[redacted)$/i.test(bare)) continue
    told += `${text.slice(done, found.index)}${name}${quote}${REDACTED}${quote}`
    done = quote === '' ? SECRET_VALUE.lastIndex : afterQuote(text, quote, SECRET_VALUE.lastIndex)
    SECRET_VALUE.lastIndex = done
  }
  return told + text.slice(done)
}

/** Where the text goes on after the next quote that is quoted as often; one that is never closed goes on to the end. */
function afterQuote(text: string, quote: string, from: number): number {
  const [sign, slashes] = [quote.slice(-1), quote.length - 1]
  for (let at = text.indexOf(sign, from); at >= 0; at = text.indexOf(sign, at + 1)) {
    let before = 0
    while (before < slashes && at - before > from && text[at - before - 1] === '\\') before++
    if (before === slashes) return at + 1
  }
  return text.length
}

/** A value as JSON of bounded length, without what is named like a secret. */
export function printRedacted(value: unknown): string | undefined {
  try {
    const text: string | undefined = JSON.stringify(value, (name: string, member: unknown) => {
      if (SECRET_NAME.test(name) && !isOpaque(name)) return REDACTED
      return typeof member === 'string' ? tellText(member, MAX_TEXT) : member
    })
    // Names of members may be keys as well.
    return text === undefined ? undefined : cut(hideKeys(cut(text, MAX_READ), REDACTED), MAX_TEXT)
  } catch {
    // A value that JSON cannot say is an author's mistake, and it is told when the result is printed.
    return undefined
  }
}
