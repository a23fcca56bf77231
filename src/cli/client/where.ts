import { pathToFileURL } from 'node:url'
import type { Command, RootsResult } from '../../client/index.ts'
import { findRevision, LOG_LEVELS, type LogLevel, REVISIONS } from '../../kernel/index.ts'
import { readOneOf } from '../config.ts'
import type { GivenSettings } from '../config-file.ts'
import { UsageError } from '../usage-error.ts'
import { checkFolder, type Reach, readReach } from './reach.ts'

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
  const { target, headers } = readTarget(flags, command)
  const log = one(flags, 'log')
  return {
    target,
    name: target instanceof URL ? target.host || target.pathname : command.join(' '),
    headers,
    revision: readRevision(one(flags, 'revision')),
    timeoutMs: readSeconds(one(flags, 'timeout') ?? '60') * 1000,
    roots: many(flags, 'root').map(readRoot),
    logLevel: log === undefined ? undefined : readOneOf('log', log, LOG_LEVELS),
  }
}

const one = (flags: GivenSettings, name: string) => flags[name] as string | undefined // As its kind says.
const many = (flags: GivenSettings, name: string) => (flags[name] ?? []) as readonly string[] // As its kind says.

function readTarget(
  flags: GivenSettings,
  [command, ...args]: readonly string[],
): Pick<Where, 'target'> & Pick<Reach, 'headers'> {
  const url = one(flags, 'url')
  if (url !== undefined && command !== undefined)
    throw new UsageError('expected one server, --url URL or -- COMMAND, got both')
  if (url === undefined && command === undefined)
    throw new UsageError('which server? Add --url URL, or -- and the command that starts it')
  const { headers, env, cwd } = readReach(flags, url === undefined ? 'command' : 'url')
  if (url !== undefined) return { target: readUrl(url), headers }
  const stderr = flags['stderr'] === true ? ('inherit' as const) : undefined
  const target = {
    command: command ?? '',
    args,
    env,
    ownGroup: true,
    ...(cwd && { cwd }),
    ...(stderr && { stderr }),
  }
  return { target, headers }
}

export function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^(https?|unix):$/.test(url.protocol)) return url
  const shown = text.replace(/[?#].*/s, '…') // What stands there may be a token.
  throw new UsageError(
    `url: expected an address such as https://mcp.example.com/mcp or unix:/run/notes.sock, got ${JSON.stringify(shown)}`,
  )
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
