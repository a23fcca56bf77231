import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { ReadyServer, Setting } from '../servers/ready-server.ts'
import { httpSettings, SWITCHES } from './settings.ts'

/** A mistake in what was typed or set; the message says what was expected. */
export class UsageError extends Error {}

export interface Config {
  readonly transport: 'stdio' | 'http'
  readonly switches: ReadonlySet<string>
  readonly settings: { readonly [name: string]: string | undefined }
}

type Given = { readonly [name: string]: unknown }

/** The only reader of flags, environment and configuration file, in this order of rank. */
export function readConfig(server: ReadyServer, args: readonly string[]): Config {
  const known = knownSettings(server)
  const flags = readFlags(known, args)
  const file = readFile(flags['config'], server, known)
  const settings = Object.entries(known).map(([name, setting]) => [
    name,
    settingOf(name, setting, flags, file),
  ])
  const switches = new Set(Object.keys(SWITCHES).filter((name) => (flags[name] ?? file[name]) === true))
  if (switches.has('stdio') && switches.has('http'))
    throw new UsageError('expected one of --stdio and --http, got both')
  const transport = switches.has('stdio') ? 'stdio' : switches.has('http') ? 'http' : server.transport
  return { transport, switches, settings: Object.fromEntries(settings) }
}

export function knownSettings(server: ReadyServer): { readonly [name: string]: Setting } {
  return { ...server.settings, ...httpSettings(server) }
}

export function readNumber(name: string, value: string | undefined, max: number): number {
  const number = Number(value)
  if (value !== undefined && /^\d+$/.test(value) && number <= max) return number
  throw new UsageError(`${name}: expected a whole number up to ${max}, got ${JSON.stringify(value)}`)
}

export function readList(value: string | undefined): readonly string[] {
  return (value ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
}

function settingOf(name: string, setting: Setting, flags: Given, file: Given): string | undefined {
  const variable = setting.environment === undefined ? undefined : process.env[setting.environment]
  const value = flags[name] ?? variable ?? file[name] ?? setting.fallback
  if (value === '') throw new UsageError(`${name}: expected a value, got an empty one`)
  return value === undefined ? undefined : String(value)
}

function readFlags(known: { readonly [name: string]: Setting }, args: readonly string[]): Given {
  const options = {
    ...Object.fromEntries(Object.keys(known).map((name) => [name, { type: 'string' }] as const)),
    ...Object.fromEntries(Object.keys(SWITCHES).map((name) => [name, { type: 'boolean' }] as const)),
    config: { type: 'string' },
  } as const
  const short = args.map((arg) => (arg === '-h' ? '--help' : arg === '-v' ? '--version' : arg))
  try {
    return parseArgs({ args: short, options, allowPositionals: false }).values
  } catch (error) {
    const names = Object.keys(options).map((name) => `--${name}`)
    throw new UsageError(`${(error as Error).message.split('. ')[0]}. Expected: ${names.join(', ')}`)
  }
}

/** A JSON object of settings by name; one under a server's name is for that server alone. */
function readFile(path: unknown, server: ReadyServer, known: { readonly [name: string]: Setting }): Given {
  if (path === undefined) return {}
  const whole = parseFile(String(path))
  const own = whole[server.name]
  const given: Given = { ...whole, ...(typeof own === 'object' ? own : {}) }
  const unknown = Object.keys(typeof own === 'object' ? (own ?? {}) : whole).filter(
    (name) => !(name in known) && !(name in SWITCHES) && typeof whole[name] !== 'object',
  )
  if (unknown.length > 0) {
    throw new UsageError(
      `${String(path)}: there is no setting ${unknown[0]}. Expected: ${Object.keys(known).join(', ')}`,
    )
  }
  return given
}

function parseFile(path: string): Given {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Given // Just looked at.
  } catch (error) {
    throw new UsageError(`config: ${path} cannot be used: ${(error as Error).message}`)
  }
  throw new UsageError(`config: ${path}: expected a JSON object`)
}
