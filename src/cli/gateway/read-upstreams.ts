import { readFileSync } from 'node:fs'
import { describe, isObject, type JsonObject } from '../../kernel/index.ts'
import { checkOptions, type UpstreamOptions } from '../../modules/upstream/options.ts'
import type { UnreadableText } from '../install/formats/format.ts'
import { parseJsonc } from '../install/formats/jsonc-tree.ts'
import { UsageError } from '../usage-error.ts'
import { readEntry } from './entry.ts'
import { expand } from './expand.ts'

/** A server as hosts write it into their files, with what only we read. */
export type WrittenUpstream = Omit<UpstreamOptions, 'server' | 'headers'> & {
  readonly headers?: { readonly [name: string]: string }
}

export type WrittenUpstreams = { readonly [name: string]: WrittenUpstream }

/** The servers of hosts' files, by name; of two with one name the later counts. */
export function readUpstreams(files: readonly string[]): WrittenUpstreams {
  const written = new Map<string, string>()
  const found = new Map<string, WrittenUpstream>() // Whatever a server is called, also __proto__.
  const passed: string[] = []
  for (const file of files)
    for (const [own, entry] of Object.entries(serversIn(file))) {
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
      found.set(name, read(entry, where))
    }
  if (found.size > 0) return Object.fromEntries(found)
  const why = passed.length === 0 ? '' : `: ${passed.join(', ')}`
  throw new UsageError(
    `there is no server in ${files.join(', ')}${why}. Expected { "mcpServers": { "name": { … } } }`,
  )
}

function serversIn(file: string): JsonObject {
  const whole = parse(file)
  const servers = whole['mcpServers'] ?? whole['servers']
  if (isObject(servers)) return servers
  throw new UsageError(`${file}: expected { "mcpServers": { "name": { … } } }, got ${describe(servers)}`)
}

function parse(file: string): JsonObject {
  try {
    // Some hosts let people write comments.
    const value: unknown = parseJsonc(readFileSync(file, 'utf8'))?.value
    if (isObject(value)) return value
  } catch (error) {
    const { line, message } = error as Partial<UnreadableText> & Error
    throw new UsageError(
      `${file} cannot be read: ${line === undefined ? '' : `line ${line}: `}${message}. Name another: perigee gateway --from FILE, or a server: perigee gateway URL`,
    )
  }
  throw new UsageError(`${file}: expected a JSON object`)
}

/** Of two that would have one name here, one would be gone without a word. */
function checkApart(before: string, own: string, why: string): void {
  if (before === own) return
  throw new UsageError(`${why}: ${JSON.stringify(before)} and ${JSON.stringify(own)}. Give one another name`)
}

/** Why an entry is none of ours. */
function whyPassed(entry: JsonObject): string | undefined {
  if (entry['disabled'] === true || entry['enabled'] === false) return 'is disabled'
  return isGateway(entry) ? 'is a gateway itself, and is passed over' : undefined
}

function read(entry: JsonObject, where: string): WrittenUpstream {
  return told(() => {
    const upstream = readEntry(expand(entry, where), where)
    const { url, command } = upstream
    if (url === undefined && command === undefined)
      throw new UsageError(
        `${where}: expected a url or a command, got ${Object.keys(entry).join(', ') || 'nothing'}`,
      )
    const one = omit(upstream, url === undefined ? ['headers'] : ['args', 'env', 'cwd'])
    checkOptions(one, where)
    return one
  })
}

/** What is wrong in a file is no mistake in a program. */
function told<Value>(look: () => Value): Value {
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
