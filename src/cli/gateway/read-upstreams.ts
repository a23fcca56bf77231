import { readFileSync } from 'node:fs'
import { describe, isObject, type JsonObject } from '../../kernel/index.ts'
import { UsageError } from '../usage-error.ts'
import { expand } from './expand.ts'

/** A server as hosts write it into their files. */
export interface WrittenUpstream {
  readonly url?: string
  readonly headers?: { readonly [name: string]: string }
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: { readonly [name: string]: string }
  readonly cwd?: string
}

/** The servers of hosts' files, by name; of two with one name the later counts. */
export function readUpstreams(files: readonly string[]): { readonly [name: string]: WrittenUpstream } {
  const all = files.flatMap((file) => Object.entries(serversIn(file)).map((entry) => read(file, entry)))
  const found = Object.fromEntries(all.filter((entry) => entry !== undefined))
  if (Object.keys(found).length > 0) return found
  throw new UsageError(
    `there is no server in ${files.join(', ')}. Expected { "mcpServers": { "name": { … } } }`,
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
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (isObject(value)) return value
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read: ${(error as Error).message}. Name another: perigee gateway --from FILE, or a server: perigee gateway URL`,
    )
  }
  throw new UsageError(`${file}: expected a JSON object`)
}

/** Hosts have several words for an address. */
const ADDRESSES = ['url', 'httpUrl', 'serverUrl']

function read(file: string, [name, entry]: [string, unknown]): [string, WrittenUpstream] | undefined {
  const where = `${file}: ${name}`
  if (!isObject(entry)) throw new UsageError(`${where}: expected an object, got ${describe(entry)}`)
  if (entry['disabled'] === true || entry['enabled'] === false || isGateway(entry)) return undefined
  const { command, args, env, cwd, headers } = expand(entry, where) as { readonly [name: string]: never } // As written.
  const url = ADDRESSES.map((word) => expand(entry, where)[word]).find((one) => one !== undefined)
  if (url !== undefined) return [plain(name), defined({ url, headers })]
  if (command !== undefined) return [plain(name), defined({ command, args, env, cwd })]
  throw new UsageError(
    `${where}: expected a url or a command, got ${Object.keys(entry).join(', ') || 'nothing'}`,
  )
}

/** A gateway that stands in the file that it reads is not behind itself. */
function isGateway({ command, args }: JsonObject): boolean {
  const words = [command, ...(Array.isArray(args) ? args : [])].map(String)
  return words.includes('gateway') && words.some((word) => /\bperigee\b/.test(word))
}

/** A name that can stand before those of tools. */
function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 40)
}

function defined(value: { readonly [name: string]: unknown }): WrittenUpstream {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))
}
