import {
  type AuthorServer,
  anything,
  describe,
  flag,
  isObject,
  type Members,
  membersOf,
  object,
  text,
  texts,
} from '../../kernel/index.ts'

/** Where an upstream server is, and how much of it is offered under which names. */
export interface UpstreamOptions {
  /** The address of a server over HTTP. */
  readonly url?: string | URL
  /** With every request over HTTP: `{ authorization: 'Bearer …' }`, or a function that gives it. */
  readonly headers?:
    | { readonly [name: string]: string }
    | (() => { readonly [name: string]: string } | Promise<{ readonly [name: string]: string }>)
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
}

const MEMBERS: Members<UpstreamOptions> = {
  url: anything,
  headers: anything,
  command: text,
  args: texts,
  env: object,
  cwd: text,
  server: object,
  revision: text,
  prefix: text,
  shared: flag,
  scopes: texts,
}

const check = membersOf(MEMBERS)

/** Throws a TypeError that says what is wrong. */
export function checkUpstream(name: unknown, options: unknown): void {
  if (typeof name !== 'string' || !/^[A-Za-z0-9_.-]{1,40}$/.test(name))
    throw new TypeError(`upstream: expected a name of 1 to 40 of A-Z a-z 0-9 _ - ., got ${describe(name)}`)
  const where = `upstream ${name}`
  if (!isObject(options))
    throw new TypeError(`${where}: expected { url } or { command, args }, got ${describe(options)}`)
  check(options, where)
  const ways = ['url', 'command', 'server'].filter((way) => options[way] !== undefined)
  if (ways.length === 1) return
  const got = ways.length === 0 ? 'none of them' : ways.join(' and ')
  throw new TypeError(`${where}: expected one of url, command and server, got ${got}`)
}
