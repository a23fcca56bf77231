import { once } from '../../../kernel/index.ts'
import { isIpv6 } from './addresses.ts'

const PERCENT = '%[0-9a-f]{2}'
const CHARACTERS = "a-z0-9._~!$&'()*+,;=\\-"
const BEYOND = '\\u00a0-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\uffef\\u{10000}-\\u{efffd}'
const PRIVATE = '\\ue000-\\uf8ff\\u{f0000}-\\u{10fffd}'

type Fits = (text: string) => boolean

export const isUri: Fits = byGrammar({ isAbsolute: true, more: '', inQuery: '' })
export const isUriReference: Fits = byGrammar({ isAbsolute: false, more: '', inQuery: '' })
export const isIri: Fits = byGrammar({ isAbsolute: true, more: BEYOND, inQuery: PRIVATE })
export const isIriReference: Fits = byGrammar({ isAbsolute: false, more: BEYOND, inQuery: PRIVATE })

interface UriGrammar {
  readonly isAbsolute: boolean
  /** The characters that an IRI may have beside those of a URI. */
  readonly more: string
  readonly inQuery: string
}

/** RFC 3986, and 3987 where more characters are allowed. */
function byGrammar({ isAbsolute, more, inQuery }: UriGrammar): Fits {
  const expression = once(() => {
    const character = `[${CHARACTERS}${more}:@]|${PERCENT}`
    const user = `(?:[${CHARACTERS}${more}:]|${PERCENT})*@`
    const host = `\\[(?<ip>[0-9a-f:.]*|v[0-9a-f]+\\.[${CHARACTERS}:]+)\\]|(?:[${CHARACTERS}${more}]|${PERCENT})*`
    return new RegExp(
      `^(?<scheme>[a-z][a-z0-9+.-]*:)?(?<authority>//(?:${user})?(?:${host})(?::\\d*)?(?=[/?#]|$))?` +
        `(?<path>(?:${character}|/)*)(?:\\?(?:${character}|[/?${inQuery}])*)?(?:#(?:${character}|[/?])*)?$`,
      'iu',
    )
  })
  return (text) => {
    const parts = expression().exec(text)?.groups
    if (parts === undefined || (isAbsolute && parts['scheme'] === undefined)) return false
    const { scheme, authority, ip, path = '' } = parts
    if (ip !== undefined && !/^v/i.test(ip) && !isIpv6(ip)) return false
    if (authority === undefined && path.startsWith('//')) return false
    return scheme !== undefined || authority !== undefined || !/^[^/]*:/.test(path)
  }
}

const NAME = `(?:[a-z0-9_]|${PERCENT})(?:\\.?(?:[a-z0-9_]|${PERCENT}))*(?::[1-9]\\d{0,3}|\\*)?`
const TEMPLATE = once(
  () =>
    new RegExp(
      `^(?:[^\\x00-\\x20\\x7f"%<>\\\\^\`{|}]|${PERCENT}|\\{[+#./;?&=,!@|]?${NAME}(?:,${NAME})*\\})*$`,
      'iu',
    ),
)

export function isUriTemplate(text: string): boolean {
  return TEMPLATE().test(text)
}
