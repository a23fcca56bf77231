/** Names of things that are nobody else's business. */
const SECRET_NAME =
  /authorization(?!-server)|bearer|cookie|credential|passw|passphrase|secret|token|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|signature|\bpwd(?==[^/])/i

const REDACTED = '[redacted]'

/** The longest text that is kept of anything. */
const MAX_TEXT = 4096

/** Takes out what is recognisably a credential: by the word before it, by its name, or by its place in an address. */
export function redact(text: string): string {
  return hideUserinfo(text)
    .replace(/\b(bearer|basic)\s+[^\s"',;\\]+/gi, `$1 ${REDACTED}`)
    .replace(/\b(cookie\s{0,8}:\s{0,8})[^\s"'\\][^\r\n"'\\]*/gi, `$1${REDACTED}`)
    .replace(/([?&](?:key|sig)=)[^&#\s]*/gi, `$1${REDACTED}`)
    .replace(SECRET_VALUE, redactValue)
}

/** Takes out who asks of an address, and of what was meant to be one; the words in our own advice stay. */
export function hideUserinfo(text: string): string {
  return text
    .replace(/:\/\/(?!(?:USER)?:PASSWORD@HOST)[^/\s]+@/g, `://${REDACTED}@`)
    .replace(
      /:\/\/[^/\s:@"'\\]{1,256}:(?!\d+\/|PASSWORD@HOST)[^\s"'\\]{1,512}@(?=[^\s@])/g,
      `://${REDACTED}@`,
    )
    .replace(/:(?!\/|\d+\/|PASSWORD@HOST)[^\s"'\\]{1,512}@(?=[^\s@])/g, `:${REDACTED}@`)
}

/** `name: value`, `name=value`, `"name":"value"`, also where the quotes are themselves quoted. */
const SECRET_VALUE = new RegExp(
  `((?:${SECRET_NAME.source})[\\w.-]{0,32}\\\\*["']?\\s{0,8}[:=]\\s{0,8})` +
    `(?:(\\\\*["'])[\\s\\S]*?(?:\\2|$)|([^\\s"'\\\\,;&#}\\]]+))`,
  'gi',
)

function redactValue(whole: string, name: string, quote = '', bare = ''): string {
  // The word before a credential is none, and what has been taken out is out.
  return /^(bearer|basic|\[redacted)$/i.test(bare) ? whole : `${name}${quote}${REDACTED}${quote}`
}

export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}

/** A value as JSON of bounded length, without what is named like a secret. */
export function printRedacted(value: unknown): string | undefined {
  try {
    const text: string | undefined = JSON.stringify(value, (name: string, member: unknown) => {
      if (SECRET_NAME.test(name)) return REDACTED
      return typeof member === 'string' ? redact(cut(member, MAX_TEXT)) : member
    })
    return text === undefined ? undefined : cut(text, MAX_TEXT)
  } catch {
    // A value that JSON cannot say is an author's mistake, and it is told when the result is printed.
    return undefined
  }
}
