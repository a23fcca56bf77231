import type { UpstreamOptions } from './options.ts'

/** What stands within a value, such as a token after `Bearer`, is a secret from this length on. */
const SHORTEST_PART = 8

/** Shorter values of variables are ports, levels, true and false. */
const SHORTEST_VARIABLE = 6

/** A part of a path that is as long as this was not thought of by people. */
const SHORTEST_SEGMENT = 16

/** So many of what stands within a caller's headers are known: to work out what they look like takes a while at each of its calls. */
const MOST_PARTS = 64

/** What goes with these is nobody else's business. */
const SECRET_FLAG = /key|token|secret|pass|pwd|auth|cred|cookie|header/i

/** All that an upstream is told in confidence by how it is configured. */
export function secretsOf({ url, headers, env = {}, args = [], oauth }: UpstreamOptions): readonly string[] {
  const variables = Object.values(env).map(String) // Hosts have numbers there as well.
  return [
    ...(url === undefined ? [] : secretsInUrl(new URL(url))),
    ...(typeof headers === 'object' ? Object.values(headers).flatMap(secretsIn) : []),
    ...variables.filter(({ length }) => length >= SHORTEST_VARIABLE).flatMap(secretsIn),
    ...args.flatMap((arg, at) => secretsInArgument(arg, args[at - 1])),
    ...secretsIn(oauth?.clientSecret ?? ''),
    ...secretsIn(oauth?.privateKey ?? ''),
  ]
}

/** A value that is a secret, and what within it is one by itself. */
export function secretsIn(value: string): readonly string[] {
  if (IS_URL.test(value)) return URL.canParse(value) ? secretsInUrl(new URL(value)) : [value]
  const parts = value.split(/[\s,;=&"'<>{}]+/)
  return [
    value,
    ...basicIn(value),
    ...parts.filter((part) => part.length >= SHORTEST_PART && !IS_URL.test(part)),
    ...parts.flatMap((part) => (IS_URL.test(part) ? secretsIn(part) : [])),
  ]
}

/** The same of what a caller has forwarded: of headers that hold many, only some beside their whole values. */
export function secretsInForwarded(values: readonly string[]): readonly string[] {
  const found = values.map(secretsIn)
  const parts = found
    .map((within, at) => within.filter((part) => part !== values[at]))
    .toSorted((one, other) => one.length - other.length) // A token stands beside few, and is not left out for what is long.
    .flatMap((within) => within.toSorted((one, other) => other.length - one.length))
  return [...values.filter((value, at) => found[at]?.[0] === value), ...parts.slice(0, MOST_PARTS)]
}

const IS_URL = /^[a-z][a-z\d+.-]*:\/\/\S*$/i

/** Who asks and what is asked for, and keys that stand in a path; where it is, everybody may know. */
function secretsInUrl({ username, password, pathname, searchParams }: URL): readonly string[] {
  const [user, secret] = [decoded(username), decoded(password)]
  const who = user === '' && secret === '' ? [] : [asBasic(user, secret), `${user}:${secret}`]
  const segments = pathname.split('/').filter(({ length }) => length >= SHORTEST_SEGMENT)
  return [...who, secret === '' ? user : secret, ...searchParams.values(), ...segments.map(decoded)]
}

/** As it is sent, so that it is known also where all that was sent is encoded. */
function asBasic(user: string, secret: string): string {
  return Buffer.from(`${user}:${secret}`).toString('base64')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // As it was written.
  }
}

/** What was sent by `Basic`: as it was written, and the password as it was meant. */
export function basicIn(authorization: unknown): readonly string[] {
  const [, basic] = /^Basic ([\w+/=-]+)$/i.exec(String(authorization)) ?? []
  if (basic === undefined) return []
  const said = Buffer.from(basic, 'base64').toString()
  const secret = said.replace(/^[^:]*:/, '')
  return [basic, said, secret, new URLSearchParams(`=${secret}`).get('') ?? '']
}

/** `--api-key X`, `--api-key=X`, `KEY=X`, `--header "authorization: X"`. */
function secretsInArgument(arg: string, before = ''): readonly string[] {
  if (IS_URL.test(arg)) return secretsIn(arg)
  const [, name = '', rest = ''] = /^([^=:\s]+)[=:]\s*(.+)$/s.exec(arg) ?? []
  if (SECRET_FLAG.test(name)) return secretsIn(rest)
  if (IS_URL.test(rest)) return secretsIn(rest)
  return before.startsWith('-') && SECRET_FLAG.test(before) && !/[=\s]/.test(before) ? secretsIn(arg) : []
}
