import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { suggest } from '../../kernel/index.ts'
import { SERVERS } from '../../servers/index.ts'
import { findUsual } from '../client/named-server.ts'
import { readHeader } from '../client/reach.ts'
import { readUrl } from '../client/where.ts'
import type { CommandLine } from '../flags.ts'
import { CONFIGURATION } from '../gateway/files.ts'
import { nameOfFile } from '../server-file.ts'
import { UsageError } from '../usage-error.ts'
import type { Installable } from './installable.ts'
import { perigeeCommand } from './perigee-command.ts'

/** The server that was typed: one of ours, a file, an address, the gateway, or a command; `more` is what stood after `--`. */
export async function readInstallable(
  { flags, words }: CommandLine,
  more: readonly string[],
): Promise<Installable> {
  const [word, ...others] = words
  if (others.length > 0) throw new UsageError(`expected one server, got ${words.join(' ')}`)
  const env = Object.fromEntries(many(flags['env']).map(readVariable))
  const headers = Object.fromEntries(many(flags['header']).map(readHeader))
  const named = (fallback: string) => checkName(typeof flags['name'] === 'string' ? flags['name'] : fallback)
  if (word !== undefined && /^https?:/i.test(word)) {
    const { href, hostname } = readUrl(word)
    refuse('--env, and what stands after --', 'a command', Object.keys(env).length > 0 || more.length > 0)
    return { name: named(nameOfHost(hostname)), url: href, headers }
  }
  refuse('--header', 'an address', Object.keys(headers).length > 0)
  refuse('--from', 'the gateway', flags['from'] !== undefined && word !== 'gateway')
  const [command, ...args] = more
  if (word === undefined && command !== undefined)
    return { name: named(nameOfCommand(command)), command, args, env }
  if (word === 'gateway') {
    const from = many(flags['from'] ?? [CONFIGURATION]).flatMap((file) => ['--from', checkFile(file)])
    return { name: named('perigee'), ...perigeeCommand(['gateway', ...from, ...more]), env }
  }
  if (word !== undefined && Object.hasOwn(SERVERS, word) && !existsSync(word)) {
    const own = await optionsOf(word, more)
    return { name: named(word), ...perigeeCommand(['serve', word, ...own, ...more]), env }
  }
  const file = word ?? findUsual()
  if (!existsSync(file)) throw unknownServer(file)
  return { name: named(nameOfFile(file)), ...perigeeCommand(['serve', resolve(file), ...more]), env }
}

/** What a ready server needs to be told: to be on stdin, where it is not by itself, and which folder it has. */
async function optionsOf(name: string, given: readonly string[]): Promise<readonly string[]> {
  const ready = await SERVERS[name]?.()
  const has = (flag: string) => given.some((one) => one === flag || one.startsWith(`${flag}=`))
  const stdio = ready?.transport === 'http' && !has('--stdio') ? ['--stdio'] : []
  const root = ready?.settings['root'] !== undefined && !has('--root') ? ['--root', process.cwd()] : []
  return [...stdio, ...root]
}

const many = (given: unknown) => (given ?? []) as readonly string[] // As its kind says.

function refuse(what: string, where: string, isGiven: boolean): void {
  if (isGiven) throw new UsageError(`${what}: for ${where} alone; leave it out`)
}

/** A name alone is a variable that the host fills in, so that its value stands in no file. */
function readVariable(text: string): [name: string, value: string] {
  const [, name = '', value] = /^([A-Za-z_]\w*)(?:=([\s\S]*))?$/.exec(text) ?? []
  if (name === '') throw new UsageError(`env: expected NAME or NAME=VALUE, got ${JSON.stringify(text)}`)
  return [name, value ?? `\${${name}}`]
}

function checkName(name: string): string {
  if (/^[A-Za-z0-9][\w-]{0,63}$/.test(name)) return name
  throw new UsageError(
    `name: hosts take up to 64 letters, digits, _ and -, got ${JSON.stringify(name)}. Choose one: --name NAME`,
  )
}

function checkFile(file: string): string {
  if (existsSync(file)) return resolve(file)
  throw new UsageError(
    `there is no ${file} for the gateway to read. Name a file with servers: --from FILE, or install an address`,
  )
}

/** The part of a host's name that people know it by. */
function nameOfHost(hostname: string): string {
  const parts = hostname.split('.')
  return plain(/^[\d.:[\]]+$/.test(hostname) ? 'local' : (parts.at(-2) ?? parts[0] ?? 'local'))
}

function nameOfCommand(command: string): string {
  return plain(command.replace(/^.*[\\/]/, '').replace(/\.\w+$/, ''))
}

function plain(text: string): string {
  return text.replaceAll(/[^\w-]+/g, '-').replaceAll(/^[-_]+|-+$/g, '')
}

function unknownServer(word: string): UsageError {
  const known = [...Object.keys(SERVERS), 'gateway']
  const nearest = suggest(word, known)
  const hint = known.includes(nearest) ? `Did you mean ${nearest}? ` : ''
  return new UsageError(
    `there is no server ${word}. ${hint}Expected a file, an address, one of ${known.join(', ')}, or a command after --`,
  )
}
