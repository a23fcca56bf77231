import { describe, isObject, type JsonObject } from '../../kernel/index.ts'
import { checkNames } from '../../modules/upstream/names.ts'
import { checkOptions, type UpstreamOptions } from '../../modules/upstream/options.ts'
import { UsageError } from '../usage-error.ts'
import { readEntry, unreadKeys } from './entry.ts'
import { readEnvFile } from './env-file.ts'
import { expand } from './expand.ts'
import { serversIn } from './servers-in.ts'
import { hostVariables } from './workspace.ts'

/** A server as hosts write it into their files, with what only we read. */
export type WrittenUpstream = Omit<UpstreamOptions, 'server' | 'headers'> & {
  readonly headers?: { readonly [name: string]: string }
}

export type WrittenUpstreams = { readonly [name: string]: WrittenUpstream }

/** Told what somebody may wonder about. */
export type NoteReading = (message: string) => void

/** The servers of hosts' files, by name; of two with one name the later counts. */
export function readUpstreams(files: readonly string[], note: NoteReading = () => {}): WrittenUpstreams {
  const written = new Map<string, string>()
  const found = new Map<string, WrittenUpstream>() // Whatever a server is called, also __proto__.
  const passed: string[] = []
  const elsewhere: string[] = []
  for (const file of files) {
    const held = serversIn(file)
    elsewhere.push(...held.elsewhere)
    if (held.project !== undefined) note(`${file}: its servers for ${held.project} are read as well`)
    for (const [own, entry] of Object.entries(held.servers)) {
      const where = `${file}: ${own}`
      if (!isObject(entry)) throw new UsageError(`${where}: expected an object, got ${describe(entry)}`)
      const why = whyPassed(entry)
      if (why !== undefined) {
        passed.push(`${own} ${why}`)
        continue
      }
      const name = plain(own)
      checkApart(written.get(name) ?? own, own, `${file}: both become ${name} here`)
      written.set(name, own)
      if (found.has(name)) note(`${where} stands in a file before this one as well: that of ${file} counts`)
      found.set(name, read(entry, { file, where, note }))
    }
  }
  if (found.size > 0) return checkedNames(found, files)
  const why = passed.length === 0 ? '' : `: ${passed.join(', ')}`
  throw new UsageError(`there is no server in ${files.join(', ')}${why}${helpFinding(elsewhere)}`)
}

function checkedNames(
  found: ReadonlyMap<string, WrittenUpstream>,
  files: readonly string[],
): WrittenUpstreams {
  try {
    checkNames([...found].map(([name, options]) => ({ name, options })))
  } catch (error) {
    throw new UsageError(`${files.join(', ')}: ${(error as Error).message}`)
  }
  return Object.fromEntries(found)
}

/** How many folders are named to whoever looks for servers. */
const MOST_NAMED = 5

function helpFinding(elsewhere: readonly string[]): string {
  if (elsewhere.length === 0) return '. Expected { "mcpServers": { "name": { … } } }'
  const named = elsewhere.slice(0, MOST_NAMED).join(', ')
  const more = elsewhere.length - MOST_NAMED
  return ` for ${process.cwd()}. It has some for ${named}${more > 0 ? ` and ${more} more` : ''}: start the gateway there, or write them into "mcpServers"`
}

/** Of two that would have one name here, one would be gone without a word. */
function checkApart(before: string, own: string, why: string): void {
  if (before === own) return
  throw new UsageError(`${why}: ${JSON.stringify(before)} and ${JSON.stringify(own)}. Give one another name`)
}

/** Why an entry is none of ours. */
function whyPassed(entry: JsonObject): string | undefined {
  if (entry['disabled'] === true || entry['enabled'] === false || entry['active'] === false)
    return 'is disabled'
  return isGateway(entry) ? 'is a gateway itself, and is passed over' : undefined
}

interface WrittenEntry {
  readonly file: string
  readonly where: string
  readonly note: NoteReading
}

function read(entry: JsonObject, { file, where, note }: WrittenEntry): WrittenUpstream {
  const unread = unreadKeys(entry)
  if (unread.length > 0) note(`${where}: ${unread.join(', ')} is for hosts, and not read here`)
  return asTyped(() => {
    const { envFile, ...upstream } = expand(readEntry(entry, where), { where, more: hostVariables(file) })
    const { url, command, env } = upstream as WrittenUpstream // Looked at below.
    if (url === undefined && command === undefined)
      throw new UsageError(
        `${where}: expected a url or a command, got ${Object.keys(entry).join(', ') || 'nothing'}`,
      )
    const inFile = url === undefined ? readEnvFile(envFile, file, where) : {}
    const one = omit(upstream, url === undefined ? ['headers', 'oauth'] : ['args', 'env', 'cwd'])
    checkOptions(one, where)
    return Object.keys(inFile).length > 0 ? { ...one, env: { ...inFile, ...env } } : one
  })
}

/** What is wrong in a file, or in what was typed, is no mistake in a program. */
export function asTyped<Value>(look: () => Value): Value {
  try {
    return look()
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error
  }
}

/** A gateway that stands in the file that it reads is not behind itself; a bridge to one server reads none. */
function isGateway({ command, args }: JsonObject): boolean {
  const words = [command, ...(Array.isArray(args) ? args : [])].map(String)
  const isBridge = words.some((word) => word === '--' || /^https?:\/\//.test(word))
  return !isBridge && words.includes('gateway') && words.some((word) => /\bperigee\b/.test(word))
}

/** A name that can stand before those of tools. */
function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 40)
}

function omit(entry: WrittenUpstream, names: readonly string[]): WrittenUpstream {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name)))
}
