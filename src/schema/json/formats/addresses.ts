import { once } from '../../../kernel/index.ts'

const NUMBER = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const IPV4 = once(() => new RegExp(`^${NUMBER}(?:\\.${NUMBER}){3}$`))
/** As many groups as it likes, each of which may be empty. */
const IPV6 = once(
  () => new RegExp(`^(?:[0-9a-f]{0,4}:){2,8}(?:[0-9a-f]{0,4}|${NUMBER}(?:\\.${NUMBER}){3})$`, 'i'),
)
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const HOSTNAME = once(() => new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`, 'i'))
const LETTER = '\\p{L}\\p{N}\\p{M}'
const IDN_LABEL = `[${LETTER}](?:[${LETTER}\\u00b7\\u200c\\u200d\\u30fb\\u05f3\\u05f4\\u0375-]{0,61}[${LETTER}\\u00b7])?`
const IDN_HOSTNAME = once(
  () => new RegExp(`^(?=.{1,253}$)${IDN_LABEL}(?:[.\\u3002\\uff0e\\uff61]${IDN_LABEL})*$`, 'u'),
)
const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
const QUOTED = '"(?:[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\x20-\\x7e])*"'
const LOCAL = once(() => new RegExp(`^(?:${ATOM}(?:\\.${ATOM})*|${QUOTED})$`, 'i'))
const IDN_ATOM = '[^\\s@"(),:;<>[\\\\\\].]+'
const IDN_LOCAL = once(
  () => new RegExp(`^(?:${IDN_ATOM}(?:\\.${IDN_ATOM})*|"(?:[^"\\\\\\p{Cc}]|\\\\\\P{Cc})*")$`, 'u'),
)

export function isIpv4(text: string): boolean {
  return IPV4().test(text)
}

export function isIpv6(text: string): boolean {
  if (!IPV6().test(text)) return false
  const gap = text.indexOf('::')
  const [opens, closes] = [text.startsWith(':'), text.endsWith(':')]
  const groups = countColons(text) + (text.includes('.') ? 2 : 1)
  if (gap === -1) return groups === 8 && !opens && !closes
  if (text.includes('::', gap + 1) || (opens && gap > 0) || (closes && gap < text.length - 2)) return false
  return groups - Number(opens) - Number(closes) <= 8 // The gap stands for one group at least, and was counted as one.
}

function countColons(text: string): number {
  let count = 0
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) count += 1
  return count
}

export function isHostname(text: string): boolean {
  return HOSTNAME().test(text)
}

/** By its letters; the rules of IDNA about which of them may stand together are not looked at. */
export function isIdnHostname(text: string): boolean {
  return IDN_HOSTNAME().test(text)
}

export function isEmail(text: string): boolean {
  return isMailbox(text, LOCAL(), isHostname)
}

export function isIdnEmail(text: string): boolean {
  return isMailbox(text, IDN_LOCAL(), isIdnHostname)
}

function isMailbox(text: string, local: RegExp, isHost: (text: string) => boolean): boolean {
  const at = text.lastIndexOf('@')
  if (at < 1 || at > 64 || !local.test(text.slice(0, at))) return false
  const domain = text.slice(at + 1)
  const literal = /^\[(?:IPv6:(?<six>.*)|(?<four>.*))\]$/i.exec(domain)?.groups
  if (literal === undefined) return isHost(domain)
  return literal['six'] === undefined ? isIpv4(literal['four'] ?? '') : isIpv6(literal['six'])
}
