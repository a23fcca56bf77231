import { defineModule, type Module } from '../../authoring/define.ts'
import { type Server, suggest } from '../../kernel/index.ts'
import { NameClash } from '../../modules/upstream/names.ts'
import { checkOptions } from '../../modules/upstream/options.ts'
import { readBook } from '../../modules/upstream/pins/pin-file.ts'
import { addressOf } from '../../modules/upstream/shown.ts'
import { type FindUpstreams, gatewayServer } from '../../servers/gateway.ts'
import { checkKeptFile } from '../../servers/path-setting.ts'
import type { ReadyServer, ServerContext } from '../../servers/ready-server.ts'
import { REACH_SETTINGS, readReach } from '../client/reach.ts'
import type { GivenSettings } from '../config-file.ts'
import { takeWord } from '../flags.ts'
import { audit } from '../gateway/audit.ts'
import { expand } from '../gateway/expand.ts'
import { CONFIGURATION, fromFiles } from '../gateway/files.ts'
import { homeFolder } from '../gateway/home.ts'
import { pinsBeside } from '../gateway/pin-path.ts'
import { asTyped, readUpstreams, type WrittenUpstreams } from '../gateway/read-upstreams.ts'
import { statusDoor } from '../gateway/status-door.ts'
import { watchFiles } from '../gateway/watch-files.ts'
import { settingsOf } from '../settings.ts'
import { UsageError } from '../usage-error.ts'
import { serve } from './serve.ts'

/** What else can be done with a gateway. */
export const DEEDS: { readonly [name: string]: (args: readonly string[]) => Promise<void> } = {
  login: async (args) => (await import('../gateway/login.ts')).logIn(args),
  logout: async (args) => (await import('../gateway/logout.ts')).logOut(args),
  approve: async (args) => (await import('../gateway/approve.ts')).approveTools(args),
  status: async (args) => (await import('../gateway/status.ts')).showStatus(args),
}

/** Serves what stands in hosts' files, at an address, or behind a command. */
export async function gateway(args: readonly string[]): Promise<void> {
  const [first = '', ...rest] = args
  const deed = Object.hasOwn(DEEDS, first) ? DEEDS[first] : undefined
  if (deed !== undefined) return deed(rest)
  if (/^[^-]/.test(first) && !isAddress(first)) throw unknownDeed(first)
  const { one, flags } = readArguments(args)
  const isByDefault = one === undefined && !flags.some((flag) => /^--from(?:=|$)/.test(flag))
  const hostWords = isByDefault ? ['--from', CONFIGURATION] : []
  const made = gatewayServer(findOf(one), BRIDGE_SETTINGS)
  const create = (context: ServerContext) => namesTyped(made.create(context))
  await serve({ ...made, create, forms: FORMS, hostWords }, flags, 'perigee gateway')
}

/** Names that cannot all be are for whoever has typed the command to mend. */
async function namesTyped(made: ReturnType<ReadyServer['create']>): Promise<Server> {
  try {
    return await made
  } catch (error) {
    const { cause } = error as Error
    throw cause instanceof NameClash ? new UsageError(cause.message) : error
  }
}

/** What is said of the one server of a bridge, where a file would say it. */
const BRIDGE_SETTINGS: ReadyServer['settings'] = {
  ...REACH_SETTINGS,
  shared: {
    kind: 'switch',
    description:
      'has all clients share one session with that address, or one process of that command (each has its own, unless said)',
  },
}

const FORMS = {
  '[options]': 'all servers of ./.mcp.json behind one, on stdio unless told otherwise',
  '--from FILE [options]': 'those of any file with mcpServers or servers in it; several are merged',
  'URL [options]': 'one server at an address: a bridge, names untouched',
  '[options] -- COMMAND …': 'one server that is a command: the same',
  status: 'every gateway that you run, and how the servers behind it are',
  'approve NAME…': 'shows what has changed of tools since they were approved, and has them served',
  'login NAME | URL': 'signs in to a server',
  'logout NAME': 'forgets the tokens, and revokes them',
}

function unknownDeed(word: string): UsageError {
  const deeds = Object.keys(DEEDS)
  const nearest = suggest(word, deeds)
  if (deeds.includes(nearest)) return new UsageError(`there is no gateway ${word}. Did you mean ${nearest}?`)
  const help = word.endsWith('.json') ? `a file is named by --from ${word}` : `a command stands after --`
  return new UsageError(
    `there is no gateway ${word}. Expected ${deeds.join(', ')}, a URL or options; ${help}. See --help`,
  )
}

function isAddress(word: string): boolean {
  return /^https?:\/\//.test(word)
}

function findOf(one: WrittenUpstreams | undefined): FindUpstreams {
  return ({ lists, settings }) => {
    const { from = [] } = lists
    const { http, cwd, shared } = settings
    const pins =
      settings['pins'] === 'off' ? 'off' : settings['pins'] && checkKeptFile('pins', settings['pins'])
    const reach = { header: lists['header'], env: lists['env'], cwd, shared }
    const files = from.length === 0 ? [CONFIGURATION] : from
    const reached = one && reachOne(one, reach)
    const kept = pins ?? (one === undefined ? pinsBeside(files[0] ?? '') : 'off')
    if (kept !== 'off') checkPins(kept)
    const serves = reached === undefined ? files.join(', ') : Object.values(reached).map(addressOf).join()
    const transport = http === undefined ? 'stdio' : 'http'
    const notes = new Set<string>()
    const modules = [...auditOf(settings), statusDoor(() => ({ serves, transport })), noteOnce(notes)]
    if (reached !== undefined) {
      const hidden = String(reached['upstream']?.url).includes('?') ? '?…' : '' // It may hold a key.
      const login = () => `perigee gateway login ${serves}${hidden}`
      return { modules, read: () => filed(reached, { pins: kept, login }) }
    }
    checkUnreached(reach)
    const login = (name: string) => `perigee gateway login ${name}`
    return {
      modules,
      read: () =>
        filed(
          readUpstreams(files, (note) => notes.add(note)),
          { pins: kept, login, loginFrom: fromFiles(from) },
        ),
      watch: (changed) => watchFiles(files, changed),
    }
  }
}

/** To trust everything anew is what the file is there to prevent, so that somebody has to say so. */
function checkPins(path: string): void {
  try {
    readBook(path)
  } catch (error) {
    const help = 'Mend it, or delete it to have all tools approved as they are now'
    throw new UsageError(`pins: ${(error as Error).message}. ${help}`)
  }
}

/** What was found while files were read, told when it serves. */
function noteOnce(notes: ReadonlySet<string>): Module {
  return defineModule({
    name: 'notes',
    open: (server) => {
      for (const message of notes) (server as Server).observe({ kind: 'noted', level: 'warning', message }) // The kernel's own face.
    },
  })
}

/** A host's file holds its arguments as they are, so that variables are filled in here. */
function reachOne(one: WrittenUpstreams, given: GivenSettings): WrittenUpstreams {
  return Object.fromEntries(
    Object.entries(one).map(([name, upstream]) => {
      const { headers, env, cwd } = readReach(given, upstream.url === undefined ? 'command' : 'url')
      const more = upstream.url === undefined ? { env, ...(cwd && { cwd }) } : { headers }
      const shared = given['shared'] !== undefined && { shared: true }
      const reached = { ...upstream, ...shared, ...expand(more, { where: 'perigee gateway' }) }
      asTyped(() => checkOptions(reached, 'perigee gateway'))
      return [name, reached]
    }),
  )
}

/** Where several are read from files, what each is reached with stands there. */
function checkUnreached(given: GivenSettings): void {
  const [name] = Object.entries(given).find(([, value]) => [value ?? []].flat().length > 0) ?? []
  if (name !== undefined)
    throw new UsageError(
      `--${name} is for one server: perigee gateway URL, or perigee gateway -- COMMAND. In a file it stands with each`,
    )
}

function auditOf({ audit: path, 'audit-arguments': asked }: ServerContext['settings']): readonly Module[] {
  if (path !== undefined) return [audit({ path, withArguments: asked !== undefined })]
  if (asked === undefined) return []
  throw new UsageError('--audit-arguments is for the lines of --audit FILE, and there is no such file')
}

interface Filing {
  readonly pins: string
  /** What one types to sign in, wherever one is. */
  readonly login: (name: string) => string
  readonly loginFrom?: string
}

/** With the files in which their tools and tokens stand. */
function filed(upstreams: WrittenUpstreams, { pins, login, loginFrom = '' }: Filing): WrittenUpstreams {
  return Object.fromEntries(
    Object.entries(upstreams).map(([name, one]) => [
      name,
      {
        ...(pins !== 'off' && { pins }),
        ...(one.url !== undefined && { tokens: homeFolder('tokens.json'), login: login(name), loginFrom }),
        ...one,
      },
    ]),
  )
}

interface GatewayArguments {
  /** The options, which are those of every server. */
  readonly flags: readonly string[]
  /** The one upstream that is named, where one is: then there is only that. */
  readonly one: WrittenUpstreams | undefined
}

function readArguments(args: readonly string[]): GatewayArguments {
  const end = args.indexOf('--')
  if (end >= 0) {
    const [command = '', ...rest] = args.slice(end + 1)
    if (command === '')
      throw new UsageError('which server? Expected a command after --: perigee gateway -- npx some-server')
    return { flags: args.slice(0, end), one: { upstream: { command, args: rest } } }
  }
  const known = settingsOf(gatewayServer(findOf(undefined), BRIDGE_SETTINGS))
  const { word: url, rest: flags } = takeWord(known, args, isAddress)
  return { flags, one: url === undefined ? undefined : { upstream: { url } } }
}
