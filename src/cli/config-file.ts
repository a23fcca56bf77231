import { readFileSync } from 'node:fs'
import { describe, isObject, suggest } from '../kernel/index.ts'
import { SERVERS } from '../servers/index.ts'
import { checkValues } from './config-values.ts'
import { meant } from './flags.ts'
import type { SettingTable } from './settings.ts'
import { UsageError } from './usage-error.ts'

export type GivenSettings = { readonly [name: string]: unknown }

/** A JSON object of settings by name; an object under a server's name is for that server alone. */
export function readFile(path: string, server: string, known: SettingTable): GivenSettings {
  const whole = parse(path)
  for (const [name, value] of Object.entries(whole)) {
    const wrong = whyNot(name, value, { server, known })
    if (wrong !== undefined) throw new UsageError(`config: ${path}: ${wrong}`)
  }
  const shared = Object.entries(whole).filter(([, value]) => !isObject(value))
  const own = whole[server]
  const given: GivenSettings = { ...Object.fromEntries(shared), ...(isObject(own) ? own : {}) }
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined)
    throw new UsageError(
      `config: ${path}: there is no setting ${unknown}. ${meant(unknown, known)}See --help`,
    )
  checkValues(path, given, known)
  return given
}

interface KnownSections {
  /** What the section of the server is called that reads the file. */
  readonly server: string
  readonly known: SettingTable
}

/** A section that nobody reads is refused: it may be the one that has the key. */
function whyNot(name: string, value: unknown, { server, known }: KnownSections): string | undefined {
  const others = [...Object.keys(SERVERS), 'gateway'].filter((other) => other !== server)
  const names = [server, ...others]
  const isServer = names.includes(name)
  if (!isObject(value))
    return isServer ? `${name}: expected an object of settings, got ${describe(value)}` : undefined
  if (Object.hasOwn(known, name)) return `${name}: expected a value, got an object`
  if (isServer) return undefined
  const nearest = suggest(name, names)
  const probably = names.includes(nearest) ? `Did you mean ${nearest}? ` : ''
  return `there is no server ${name}. ${probably}Expected: ${server} for what is served here, or for others ${others.join(', ')}`
}

function parse(path: string): GivenSettings {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (isObject(value)) return value
  } catch (error) {
    throw new UsageError(`config: ${path} cannot be used: ${(error as Error).message}`)
  }
  throw new UsageError(`config: ${path}: expected a JSON object`)
}
