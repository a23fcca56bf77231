import {
  type AuthorServer,
  anything,
  type Check,
  describe,
  expecting,
  flag,
  isObject,
  listOf,
  type Members,
  membersOf,
  object,
  oneOf,
  REVISIONS,
  text,
  texts,
} from '../../kernel/index.ts'
import { isForwardable } from './forwarded.ts'
import { checkSignIn, type SignInSettings } from './sign-in/settings.ts'

type UpstreamHeaders = { readonly [name: string]: string }

/** Where an upstream server is, and how much of it is offered under which names. */
export interface UpstreamOptions {
  /** The address of a server over HTTP. */
  readonly url?: string | URL
  /** With every request over HTTP: `{ authorization: 'Bearer …' }`, or a function that gives it. */
  readonly headers?:
    | UpstreamHeaders
    | ((challenge?: string, refused?: UpstreamHeaders) => UpstreamHeaders | Promise<UpstreamHeaders>)
  /** A command that serves on its stdin and stdout. */
  readonly command?: string
  readonly args?: readonly string[]
  /** Beside the few variables that every command needs, such as PATH and HOME. */
  readonly env?: { readonly [name: string]: string }
  readonly cwd?: string
  /** A server of the same program. */
  readonly server?: AuthorServer
  /** Speaks this revision to it or none; unless said, the newest that it knows. */
  readonly revision?: string
  /**
   * Stands before the names of its tools and prompts: the upstream's name and `_` where there are several upstreams,
   * nothing where it is the only one.
   */
  readonly prefix?: string
  /** Has all callers share one session or process, where it would be one for each. */
  readonly shared?: boolean
  /** What a caller must have been granted to see and use anything of it. */
  readonly scopes?: readonly string[]
  /** Which of its tools are offered: `['get_*', '!delete_*']`; all, unless said. */
  readonly tools?: readonly string[]
  /** Other names for its tools, by those it has for them; the prefix stands before these as well. */
  readonly rename?: { readonly [tool: string]: string }
  /** Other descriptions of its tools, by the names it has for them. */
  readonly descriptions?: { readonly [tool: string]: string }
  /** Other annotations of its tools: what is said here stands instead of what it says, the rest stays. */
  readonly annotations?: { readonly [tool: string]: { readonly [hint: string]: unknown } }
  /**
   * Which headers of a caller the upstream is told: `['x-tenant', 'x-trace-*']`. What says who the caller is
   * (`authorization`, `cookie`) must be named in full.
   */
  readonly forwardHeaders?: readonly string[]
  /**
   * A file that remembers its tools as they were first seen: one that has changed since is not served until somebody
   * approves it.
   */
  readonly pins?: string
  /** A file of tokens that `perigee gateway login` writes: what stands in it for this upstream is told it. */
  readonly tokens?: string
  /** How one signs in, as far as that is not found out by asking the server; for what stands in `tokens`. */
  readonly oauth?: SignInSettings
  /** What one types to sign in, where that is not `perigee gateway login NAME`. */
  readonly login?: string
  /** What whoever runs it types after that, which names files that are no business of those who call. */
  readonly loginFrom?: string
}

/** Several of them. */
export type NamedUpstreams = { readonly [name: string]: UpstreamOptions }

const MEMBERS: Members<UpstreamOptions> = {
  url: address,
  headers: anything,
  command: program,
  args: listOf(passable),
  env: variables,
  cwd: passable,
  server: object,
  revision: oneOf(...REVISIONS.map(({ id }) => id)),
  prefix: text,
  shared: flag,
  scopes: texts,
  tools: texts,
  rename: tableOf(text),
  descriptions: tableOf(text),
  annotations: tableOf(object),
  forwardHeaders: listOf(expecting('the name of a header that is not of the protocol itself', isForwardable)),
  pins: text,
  tokens: text,
  oauth: checkSignIn,
  login: text,
  loginFrom: text,
}

/** What is asked for in an address, and who asks, may be secrets. */
function address(value: unknown, where: string): void {
  const written = value instanceof URL ? value.href : value
  if (typeof written === 'string' && URL.canParse(written) && WAYS.includes(new URL(written).protocol)) return
  const shown =
    typeof written === 'string' ? written.replace(/[?#].*$/s, '').replace(/^([^/]*\/\/)?.*@/s, '$1') : written
  throw new TypeError(
    `${where}: expected an address such as https://mcp.example.com/mcp, got ${describe(shown)}`,
  )
}

const WAYS = ['http:', 'https:', 'unix:']

function program(value: unknown, where: string): void {
  passable(value, where)
  if (value === '') throw new TypeError(`${where}: expected the name of a program, got nothing`)
}

/** What a process can be handed; what cannot may be a secret, and is not repeated. */
function passable(value: unknown, where: string): void {
  text(value, where)
  if (String(value).includes('\0'))
    throw new TypeError(`${where}: expected a string without a NUL character, got one that has it`)
}

/** Hosts take numbers, true and false for what they are as text. */
function variables(value: unknown, where: string): void {
  object(value, where)
  for (const [name, one] of Object.entries(value as object)) {
    passable(name, `${where}: a name`)
    passable(typeof one === 'number' || typeof one === 'boolean' ? String(one) : one, `${where}.${name}`)
  }
}

function tableOf(check: Check): Check {
  return (value, where) => {
    object(value, where)
    for (const [name, one] of Object.entries(value as object)) check(one, `${where}.${name}`)
  }
}

const check = membersOf(MEMBERS)

/** Throws a TypeError that says what is wrong. */
export function checkUpstream(name: unknown, options: unknown): void {
  if (typeof name !== 'string' || !/^[A-Za-z0-9_.-]{1,40}$/.test(name))
    throw new TypeError(`upstream: expected a name of 1 to 40 of A-Z a-z 0-9 _ - ., got ${describe(name)}`)
  checkOptions(options, `upstream ${name}`)
  const { oauth, tokens } = options as UpstreamOptions // As just looked at.
  if (oauth !== undefined && tokens === undefined)
    throw new TypeError(`upstream ${name}: oauth needs tokens, the path of a file that keeps them`)
}

/** The same of one whose name is known to be one; `where` is where it is written. */
export function checkOptions(options: unknown, where: string): void {
  if (!isObject(options))
    throw new TypeError(`${where}: expected { url } or { command, args }, got ${describe(options)}`)
  check(options, where)
  for (const [name, are] of [
    ['forwardHeaders', 'are'],
    ['tokens', 'are'],
    ['oauth', 'is'],
  ] as const)
    if (options[name] !== undefined && options['url'] === undefined)
      throw new TypeError(`${where}: ${name} ${are} for an upstream with a url, and there is none`)
  const ways = ['url', 'command', 'server'].filter((way) => options[way] !== undefined)
  if (ways.length === 1) return
  const got = ways.length === 0 ? 'none of them' : ways.join(' and ')
  throw new TypeError(`${where}: expected one of url, command and server, got ${got}`)
}
