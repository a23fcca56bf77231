/** Takes out who asks of an address, and of what was meant to be one; the words in our own advice stay. */
export function hideUserinfo(text: string, shown: string): string {
  if (!text.includes('@')) return text
  const plain = text.replace(/:\/\/(?!(?:USER)?:PASSWORD@HOST)[^/\s]+@/g, `://${shown}@`)
  const named = hidePasswords(plain, `://${shown}`, NAMED)
  return hidePasswords(named, `:${shown}`, BARE)
}

/** How a password begins in a text, and what cannot be the end of one. */
interface PasswordPlace {
  /** What stands before it; the colon is the last letter that it finds. */
  readonly before: RegExp
  /** What an `@` with a host after it is followed by. */
  readonly host: RegExp
}

const NAMED: PasswordPlace = {
  before: /:\/\/[^/\s:@"'\\]{1,256}:(?!\d+\/|PASSWORD@HOST)/g,
  host: /[^\s@]/y,
}

/** What is called so has a colon and an `@` without anybody's password between them. */
const NO_USER = /\b(?:pkg|mailto|acct|xmpp|sips?)/

/** After an `@`, a package's and no host's: an address of the internet has four numbers. */
const VERSION =
  /(?:[v^~]?\d+(?:\.\d+){0,2}|\d+\.\d+\.\d+[-+][\w.+-]{1,64}|sha\d+[:-][\w+/=]{1,128})(?!\w|\.\w)/

/** `x:me:secret@host` and `me:secret@host`, which somebody may have meant as an address. */
const BARE: PasswordPlace = {
  before: new RegExp(`(?<!${NO_USER.source}):(?!\\/|\\d+\\/|PASSWORD@HOST)`, 'g'),
  host: new RegExp(`(?!${VERSION.source})[^\\s@]`, 'y'),
}

/** No password is longer. */
const LONGEST = 512

/** What has a password in it is no longer, up to its `@`. */
const FARTHEST = 3 + 256 + 1 + LONGEST

/** What ends one, wherever that stands. */
const END = /[\s"'\\]|$/g

/**
 * Puts something else in the place of what begins so and goes on to the last `@` that may end it. An expression would
 * look from every colon as far as a password may reach; here what has been looked at is not looked at again.
 */
function hidePasswords(text: string, shown: string, { before, host }: PasswordPlace): string {
  const ats = hostsIn(text, host)
  // Beyond both ends not a number, which is neither before nor behind anything.
  const placeOf = (one: number) => Number(ats[one])
  let [told, done, end, next] = ['', 0, -1, 0]
  before.lastIndex = 0
  for (let found = before.exec(text); found !== null; found = before.exec(text)) {
    const begin = before.lastIndex
    if (end < begin) end = endFrom(text, begin)
    const last = Math.min(end - 1, begin + LONGEST)
    while (placeOf(next) <= last) next++
    const at = placeOf(next - 1)
    if (at > begin) {
      told += `${text.slice(done, found.index)}${shown}`
      done = at
      before.lastIndex = at + 1
    } else if (next === ats.length) break
    else {
      // Nothing that begins before this comes to an `@`; the colon that was found may be the first letter of the next one.
      const ahead = last === end - 1 ? end : placeOf(next) - FARTHEST
      before.lastIndex = Math.max(found.index + 1, begin - 1, ahead)
    }
  }
  return told + text.slice(done)
}

/** Where an `@` stands that a host may follow. */
function hostsIn(text: string, host: RegExp): readonly number[] {
  const ats: number[] = []
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    host.lastIndex = at + 1
    if (host.test(text)) ats.push(at)
  }
  return ats
}

function endFrom(text: string, begin: number): number {
  END.lastIndex = begin
  const { index } = END.exec(text) as RegExpExecArray // The end of a text is one.
  return index
}
