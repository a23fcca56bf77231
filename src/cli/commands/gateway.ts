import { resolve } from 'node:path'
import { defineModule, type Module } from '../../authoring/define.ts'
import { type Server, suggest } from '../../kernel/index.ts'
import { quoted } from '../../modules/upstream/pins/pins.ts'
import { addressOf } from '../../modules/upstream/shown.ts'
import { type FindUpstreams, gatewayServer } from '../../servers/gateway.ts'
import type { ServerContext } from '../../servers/ready-server.ts'
import { REACH_SETTINGS, readReach } from '../client/reach.ts'
import type { GivenSettings } from '../config-file.ts'
import { audit } from '../gateway/audit.ts'
import { expand } from '../gateway/expand.ts'
import { CONFIGURATION } from '../gateway/files.ts'
import { homeFolder } from '../gateway/home.ts'
import { pinsBeside } from '../gateway/pin-path.ts'
import { readUpstreams, type WrittenUpstreams } from '../gateway/read-upstreams.ts'
import { statusDoor } from '../gateway/status-door.ts'
import { watchFiles } from '../gateway/watch-files.ts'
import { type SettingTable, settingsOf } from '../settings.ts'
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
  const ready = { ...gatewayServer(findOf(one), REACH_SETTINGS), forms: FORMS, hostWords }
  await serve(ready, flags, 'perigee gateway')
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
    const { pins, http, cwd } = settings
    const reach = { header: lists['header'], env: lists['env'], cwd }
    const files = from.length === 0 ? [CONFIGURATION] : from
    const serves = one === undefined ? files.join(', ') : Object.values(one).map(addressOf).join()
    const transport = http === undefined ? 'stdio' : 'http'
    const notes = new Set<string>()
    const modules = [...auditOf(settings), statusDoor(() => ({ serves, transport })), noteOnce(notes)]
    if (one !== undefined) {
      const hidden = String(one['upstream']?.url).includes('?') ? '?…' : '' // It may hold a key.
      const login = () => `perigee gateway login ${serves}${hidden}`
      const reached = reachOne(one, reach)
      return { modules, read: () => filed(reached, { pins: pins ?? 'off', login }) }
    }
    checkUnreached(reach)
    const named = from.map((file) => ` --from ${quoted(resolve(file))}`).join('')
    const login = (name: string) => `perigee gateway login ${name}${named}`
    return {
      modules,
      read: () =>
        filed(
          readUpstreams(files, (note) => notes.add(note)),
          { pins: pins ?? pinsBeside(files[0] ?? ''), login },
        ),
      watch: (changed) => watchFiles(files, changed),
    }
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
      return [name, { ...upstream, ...expand(more, { where: 'perigee gateway' }) }]
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
}

/** With the files in which their tools and tokens stand. */
function filed(upstreams: WrittenUpstreams, { pins, login }: Filing): WrittenUpstreams {
  return Object.fromEntries(
    Object.entries(upstreams).map(([name, one]) => [
      name,
      {
        ...(pins !== 'off' && { pins }),
        ...(one.url !== undefined && { tokens: homeFolder('tokens.json'), login: login(name) }),
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
  const known = settingsOf(gatewayServer(findOf(undefined), REACH_SETTINGS))
  const at = args.findIndex((word, place) => isAddress(word) && !wantsValue(known, args[place - 1] ?? ''))
  const url = args[at]
  return url === undefined
    ? { flags: args, one: undefined }
    : { flags: args.toSpliced(at, 1), one: { upstream: { url } } }
}

/** Whether the word after it belongs to it. */
function wantsValue(known: SettingTable, word: string): boolean {
  const name = word.startsWith('--') ? word.slice(2) : ''
  return Object.hasOwn(known, name) && known[name]?.kind !== 'switch'
}
