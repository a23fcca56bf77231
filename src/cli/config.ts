import type { ReadyServer, Setting } from '../servers/ready-server.ts'
import { readFile } from './config-file.ts'
import { readFlags } from './flags.ts'
import { isNotFor, settingsOf } from './settings.ts'
import { UsageError } from './usage-error.ts'

/** How a server is served. */
export type Transport = 'stdio' | 'http' | 'socket'

export interface Config {
  readonly transport: Transport
  /** What was given once, or stands by default. */
  readonly settings: { readonly [name: string]: string | undefined }
  /** What may be given more than once. */
  readonly lists: { readonly [name: string]: readonly string[] }
  readonly switches: ReadonlySet<string>
  /** What somebody who has to change a setting must look for: its flag, its variable or its file. */
  readonly sources: { readonly [name: string]: string }
}

/** The only reader of flags, environment and configuration file, in this order of rank. */
export function readConfig(server: ReadyServer, args: readonly string[]): Config {
  const known = settingsOf(server)
  const flags = readFlags(known, args)
  const file = flags['config'] === undefined ? {} : readFile(String(flags['config']), server.name, known)
  const find = (name: string, setting: Setting): unknown =>
    flags[name] ?? readVariable(setting) ?? file[name] ?? setting.fallback
  const sourceOf = (name: string, setting: Setting): string => {
    if (flags[name] !== undefined) return `--${name}`
    if (readVariable(setting) !== undefined) return setting.environment ?? ''
    return file[name] === undefined ? name : `${name} in ${String(flags['config'])}`
  }
  const entries = (kind: Setting['kind']) =>
    Object.entries(known).filter(([, setting]) => (setting.kind ?? 'one') === kind)
  const switches = new Set(
    entries('switch').flatMap(([name, setting]) =>
      isOn(sourceOf(name, setting), find(name, setting)) ? [name] : [],
    ),
  )
  const socket = find('socket', known['socket'] ?? { description: '' })
  const transport = chooseTransport(
    socket === undefined ? switches : new Set([...switches, 'socket']),
    server,
  )
  if (!switches.has('help')) checkTransport({ transport, switches }, Object.keys(flags), server)
  return {
    transport,
    settings: Object.fromEntries(
      entries('one').map(([name, setting]) => [name, toText(name, find(name, setting))]),
    ),
    lists: Object.fromEntries(
      entries('many').map(([name, setting]) => [name, toList(name, find(name, setting))]),
    ),
    switches,
    sources: Object.fromEntries(
      Object.entries(known).map(([name, setting]) => [name, sourceOf(name, setting)]),
    ),
  }
}

/** An empty variable is how many shells say that it is not set. */
function readVariable({ environment }: Setting): string | undefined {
  return environment === undefined ? undefined : process.env[environment] || undefined
}

/** Whether a variable is there and says nothing: whoever was to fill it in has not. */
export function isEmptyVariable({ environment }: Setting): boolean {
  return environment !== undefined && process.env[environment] === ''
}

export function readNumber(name: string, value: string | undefined, max: number): number {
  const number = Number(value)
  if (value !== undefined && /^\d+$/.test(value) && number <= max) return number
  throw new UsageError(`${name}: expected a whole number up to ${max}, got ${JSON.stringify(value)}`)
}

export function readOneOf<T extends string>(
  name: string,
  value: string | undefined,
  allowed: readonly T[],
): T {
  const found = allowed.find((one) => one === value)
  if (found !== undefined) return found
  throw new UsageError(`${name}: expected one of ${allowed.join(', ')}, got ${JSON.stringify(value)}`)
}

function chooseTransport(chosen: ReadonlySet<string>, { transport }: ReadyServer): Transport {
  const named = (Object.keys(WORDS) as Transport[]).filter((name) => chosen.has(name))
  if (named.length > 1)
    throw new UsageError(
      `expected one of --stdio, --http and --socket, got ${named.map((name) => `--${name}`).join(', ')}`,
    )
  return named[0] ?? transport
}

/** A variable or a file may be there for several servers; what was typed was meant for this one. */
function checkTransport(
  { transport, switches }: Pick<Config, 'transport' | 'switches'>,
  flags: readonly string[],
  server: ReadyServer,
): void {
  // The console of a server on stdio has a port, too.
  const meant = (name: string) => name === 'port' && switches.has('console')
  const flag = flags.find((name) => isNotFor(transport, name, server) && !meant(name))
  if (flag === undefined) return
  const other = transport === 'http' ? 'stdio' : 'http'
  const isChosen = transport === 'socket' || switches.has(transport)
  const remedy = isChosen ? `leave out --${transport}` : `add --${other}`
  const { noun } = WORDS[other]
  throw new UsageError(
    `--${flag} is for ${noun}, and this would serve ${WORDS[transport].how}: ${remedy}, or leave out --${flag}`,
  )
}

const WORDS: { readonly [transport in Transport]: { readonly noun: string; readonly how: string } } = {
  stdio: { noun: 'stdin and stdout', how: 'on stdin and stdout' },
  http: { noun: 'HTTP', how: 'over HTTP' },
  socket: { noun: 'a socket', how: 'on a socket' },
}

/** A word that is neither is refused: who has written READONLY=yes meant something by it. */
function isOn(source: string, value: unknown = false): boolean {
  const isMeant = SWITCHED.get(String(value).toLowerCase())
  if (isMeant !== undefined) return isMeant
  throw new UsageError(`${source}: expected true or false, got ${JSON.stringify(value)}`)
}

const SWITCHED: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1'].map((word) => [word, true] as const),
  ...['false', '0'].map((word) => [word, false] as const),
])

function toText(name: string, value: unknown): string | undefined {
  if (value === '') throw new UsageError(`${name}: expected a value, got an empty one`)
  return value === undefined ? undefined : String(value)
}

/** In a variable the entries of a list are parted by commas. */
function toList(name: string, value: unknown): readonly string[] {
  if (Array.isArray(value) && value.includes(''))
    throw new UsageError(`${name}: expected a value, got an empty one`)
  const entries = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',')
  return entries.map((one) => one.trim()).filter((one) => one !== '')
}
