import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Command, RootsResult } from '../../client/index.ts'
import { findRevision, LOG_LEVELS, type LogLevel, REVISIONS } from '../../kernel/index.ts'
import { readOneOf } from '../config.ts'
import type { GivenSettings } from '../config-file.ts'
import { UsageError } from '../usage-error.ts'

/** A server, and how to speak to it, as it was typed. */
export interface Where {
  readonly target: URL | Command
  /** What to call it before it has said so. */
  readonly name: string
  readonly headers: { readonly [name: string]: string }
  readonly revision: string | undefined
  readonly timeoutMs: number
  readonly roots: RootsResult['roots']
  readonly logLevel: LogLevel | undefined
}

export function readWhere(flags: GivenSettings, command: readonly string[]): Where {
  const target = readTarget(flags, command)
  const log = one(flags, 'log')
  return {
    target,
    name: target instanceof URL ? target.host || target.pathname : command.join(' '),
    headers: Object.fromEntries(many(flags, 'header').map(readHeader)),
    revision: readRevision(one(flags, 'revision')),
    timeoutMs: readSeconds(one(flags, 'timeout') ?? '60') * 1000,
    roots: many(flags, 'root').map(readRoot),
    logLevel: log === undefined ? undefined : readOneOf('log', log, LOG_LEVELS),
  }
}

const one = (flags: GivenSettings, name: string) => flags[name] as string | undefined // As its kind says.
const many = (flags: GivenSettings, name: string) => (flags[name] ?? []) as readonly string[] // As its kind says.

function readTarget(flags: GivenSettings, [command, ...args]: readonly string[]): URL | Command {
  const url = one(flags, 'url')
  if (url !== undefined && command !== undefined)
    throw new UsageError('expected one server, --url URL or -- COMMAND, got both')
  if (url === undefined && command === undefined)
    throw new UsageError('which server? Add --url URL, or -- and the command that starts it')
  const foreign = Object.keys(flags).find((name) =>
    (url === undefined ? FOR_URL : FOR_COMMAND).includes(name),
  )
  if (foreign !== undefined)
    throw new UsageError(
      `--${foreign} is for ${url === undefined ? 'a server at a --url' : 'a command, after --'}: leave it out`,
    )
  if (url !== undefined) return readUrl(url)
  const cwd = one(flags, 'cwd')
  return {
    command: command ?? '',
    args,
    env: Object.fromEntries(many(flags, 'env').map(readVariable)),
    ...(cwd !== undefined && { cwd: checkFolder('cwd', cwd) }),
    ...(flags['stderr'] === true && { stderr: 'inherit' }),
  }
}

const FOR_URL = ['header']
const FOR_COMMAND = ['env', 'cwd', 'stderr']

export function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^(https?|unix):$/.test(url.protocol)) return url
  throw new UsageError(
    `url: expected an address such as https://mcp.example.com/mcp or unix:/run/notes.sock, got ${JSON.stringify(text)}`,
  )
}

export function readHeader(line: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):\s*([^\r\n\0]*)$/.exec(line) ?? []
  if (name !== '') return [name, value]
  throw new UsageError(`header: expected "Name: value", got ${JSON.stringify(line)}`)
}

/** `NAME` alone is handed on as it is here. */
function readVariable(text: string): [name: string, value: string] {
  const at = text.indexOf('=')
  const name = at < 0 ? text : text.slice(0, at)
  const value = at < 0 ? process.env[name] : text.slice(at + 1)
  if (name === '') throw new UsageError(`env: expected NAME=VALUE or NAME, got ${JSON.stringify(text)}`)
  if (value === undefined) throw new UsageError(`env: ${name} is not set here. Say ${name}=VALUE`)
  return [name, value]
}

function readRevision(id: string | undefined): string | undefined {
  if (id === undefined || findRevision(id) !== undefined) return id
  const known = REVISIONS.map((revision) => revision.id).join(', ')
  throw new UsageError(`revision: there is no revision ${id}. Expected one of ${known}`)
}

const DAY = 86_400

/** Of `--timeout`. */
export function readSeconds(text: string): number {
  const seconds = Number(text)
  if (text.trim() !== '' && seconds > 0 && seconds <= DAY) return seconds
  throw new UsageError(`timeout: expected seconds, up to ${DAY}, got ${JSON.stringify(text)}`)
}

function readRoot(folder: string): { readonly uri: string } {
  return { uri: pathToFileURL(checkFolder('root', folder)).href }
}

function checkFolder(name: string, folder: string): string {
  const path = resolve(folder)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path
  throw new UsageError(`${name}: expected a folder, got ${JSON.stringify(folder)}`)
}
