import { readFileSync } from 'node:fs'
import { isObject } from '../kernel/index.ts'
import { meant } from './flags.ts'
import type { SettingTable } from './settings.ts'
import { UsageError } from './usage-error.ts'

export type GivenSettings = { readonly [name: string]: unknown }

/** A JSON object of settings by name; an object under a server's name is for that server alone. */
export function readFile(path: string, server: string, known: SettingTable): GivenSettings {
  const whole = parse(path)
  const shared = Object.entries(whole).filter(([, value]) => !isObject(value))
  const own = whole[server]
  const given: GivenSettings = { ...Object.fromEntries(shared), ...(isObject(own) ? own : {}) }
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name))
  if (unknown === undefined) return given
  throw new UsageError(`config: ${path}: there is no setting ${unknown}. ${meant(unknown, known)}See --help`)
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
